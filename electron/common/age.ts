/**
 * Whether something of this time is older than it may be, or of no known time. What seems to come from the
 * future was stamped by a clock that was ahead, and counts as old: else it would stay for as long as that
 * clock was wrong.
 * @param time ISO 8601; null or empty where it is not known
 */
export const isOlderThan = (ms: number, time: string | null | undefined, now: Date): boolean => {
  const age = now.getTime() - Date.parse(time ?? '')
  return !(age >= 0 && age <= ms)
}
