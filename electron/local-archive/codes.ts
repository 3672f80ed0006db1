/** What the integers of the interface stand for here. */
export const medium = {
  status: { 0: 'Inactive', 20: 'Write', 30: 'Full', 100: 'FAIL' },
  format: 103,
  blockSize: 1024,
} as const
export const storage = { disk: 200, tape: 300 } as const
/** Target types are 200 to 299 for disks and 300 to 399 for tapes. */
export const isTape = (type: unknown) => Number(type) >= storage.tape
export const relation = { disabled: 0, enabled: 1 } as const
export const checksum = { sha256: 3 } as const
export const outcome = { success: 0, failure: 1 } as const

/** The event types the archive writes by itself, and the usual others a reading room meets. */
export const eventTypes = {
  20100: 'Delivery received',
  20300: 'Delivery registered',
  20800: 'Delivery rejected',
  30000: 'Received for preservation',
  30200: 'AIP created',
  30300: 'AIP preserved',
  40600: 'Written to disk',
  40700: 'Written to tape',
  50000: 'Checksum calculated',
  50220: 'Redundancy checked',
  50230: 'Checksum validated',
  50400: 'TAR created',
} as const

export type EventCode = keyof typeof eventTypes
