import { entryIn } from '../../common/records.ts'

/** Meanings of the interface's integers, as ESSArch has them; a code that is not here is shown as it is. */
const checksums = { 1: 'MD5', 2: 'SHA-1', 3: 'SHA-256', 4: 'SHA-384', 5: 'SHA-512' }
const blockSizes = { 128: '64K', 250: '125K', 256: '128K', 512: '256K', 1024: '512K', 2048: '1024K' }
const formats = { 103: 'AIC support', 102: 'Media label', 101: 'Old read only', 100: 'Old read only' }
const methods = { 200: 'DISK', 300: 'TAPE', 400: 'CAS' }
const tapes = (first: number, count: number, from: number, maker: string) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [first + index, `${maker}-LTO${from + index}`]),
  )

const byField: Record<string, Record<number, string>> = {
  'storage-methods.type': methods,
  'storage-objects.content_location_type': methods,
  'storage-targets.type': {
    200: 'DISK',
    ...tapes(301, 9, 1, 'IBM'),
    ...tapes(325, 5, 5, 'HP'),
    401: 'HDFS',
    402: 'HDFS-REST',
  },
  'storage-targets.default_block_size': blockSizes,
  'storage-targets.default_format': formats,
  'storage-targets.min_chunk_size': {
    0: 'Disabled',
    1048576: '1 MByte',
    1073741824: '1 GByte',
    53687091201: '5 GByte',
    10737418240: '10 GByte',
  },
  'storage-method-target-relations.status': { 0: 'Disabled', 1: 'Enabled', 2: 'ReadOnly', 3: 'Migrate' },
  'storage-policies.mode': { 0: 'master', 2: 'ais' },
  'storage-policies.checksum_algorithm': checksums,
  'storage-policies.ip_type': { 1: 'tar' },
  'storage-policies.preingest_metadata': { 0: 'disabled', 1: 'res' },
  'storage-policies.ingest_metadata': { 1: 'mets', 4: 'mets (eard)' },
  'agents.level_of_detail': { 0: 'full', 1: 'partial', 2: 'minimal' },
  'agents.record_status': { 0: 'draft', 1: 'final' },
  'agents.script': { 0: 'latin' },
  'events.eventOutcome': { 0: 'success', 1: 'failure' },
}

/** Fields whose texts are words of the machine: what they mean is said of them, too. */
const worded = new Set([
  'tags.elastic_index',
  'agent-types.cpf',
  'notifications.level',
  'submission-agreements.status',
  'profiles.status',
])

const naming = (names: Record<number, string>) => (code: unknown) =>
  typeof code === 'number' ? (names[code] ?? String(code)) : ''

export const algorithmName = naming(checksums)
export const packageTypeName = naming({ 0: 'SIP', 1: 'AIC', 2: 'AIP', 3: 'AIU', 4: 'DIP' })
export const mediumStatusName = naming({ 0: 'Inactive', 20: 'Write', 30: 'Full', 100: 'FAIL' })
export const locationStatusName = naming({
  10: 'Delivered',
  20: 'Received',
  30: 'Placed',
  40: 'Collected',
  50: 'Robot',
})
export const blockSizeName = naming(blockSizes)
export const formatName = naming(formats)

/** What a code or a word of the machine in a field of a list stands for; undefined where nobody says. */
export const meaningOf = (list: string, field: string, code: unknown): string | undefined => {
  if (typeof code === 'string') return code !== '' && worded.has(`${list}.${field}`) ? code : undefined
  return typeof code === 'number' ? entryIn(byField, `${list}.${field}`)?.[code] : undefined
}
