/**
 * Digest algorithms of manifests, strongest first, by their names in file names (RFC 8493 2.4): lower case,
 * nothing but letters and digits.
 */
export const digestAlgorithms = ['sha512', 'sha384', 'sha256', 'sha224', 'sha1', 'md5'] as const
export type Algorithm = (typeof digestAlgorithms)[number]

/** Those that new bags are made with; the others are only read. */
export const writableAlgorithms = ['sha256', 'sha512'] as const
export type WritableAlgorithm = (typeof writableAlgorithms)[number]

/**
 * Checksums that METS names files by and that are no digests: they show errors of a line or a disk, and
 * protect against nobody.
 */
const nonCryptographic = ['crc32', 'adler32'] as const
export type NonCryptographic = (typeof nonCryptographic)[number]

/** What a METS document can name a file by: a digest, or a checksum that is none. */
export type ChecksumAlgorithm = Algorithm | NonCryptographic

/** Length of a checksum in bytes. */
export const checksumBytes: Record<ChecksumAlgorithm, number> = {
  sha512: 64,
  sha384: 48,
  sha256: 32,
  sha224: 28,
  sha1: 20,
  md5: 16,
  crc32: 4,
  adler32: 4,
}

export const isAlgorithm = (name: string): name is Algorithm =>
  (digestAlgorithms as readonly string[]).includes(name)

export const isNonCryptographic = (name: string): name is NonCryptographic =>
  (nonCryptographic as readonly string[]).includes(name)

/** "SHA-256" as people and profiles write it, as the name that manifests bear. */
export const normalized = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

export const isWritableAlgorithm = (name: string): name is WritableAlgorithm =>
  (writableAlgorithms as readonly string[]).includes(name)
