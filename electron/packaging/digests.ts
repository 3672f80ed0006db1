/**
 * Checksum algorithms of manifests, strongest first, by their names in file names (RFC 8493 2.4): lower case,
 * nothing but letters and digits.
 */
export const readable = ['sha512', 'sha384', 'sha256', 'sha224', 'sha1', 'md5'] as const
export type Algorithm = (typeof readable)[number]

/** Those that new bags are made with; the others are only read. */
export const writable = ['sha256', 'sha512'] as const
export type WritableAlgorithm = (typeof writable)[number]

/** Sums that METS names files by: they show errors of a line or a disk, and protect against nobody. */
export const sums = ['crc32', 'adler32'] as const
export type Sum = (typeof sums)[number]

/** Length of a digest or sum in bytes. */
export const digestBytes: Record<Algorithm | Sum, number> = {
  sha512: 64,
  sha384: 48,
  sha256: 32,
  sha224: 28,
  sha1: 20,
  md5: 16,
  crc32: 4,
  adler32: 4,
}

export const isReadable = (name: string): name is Algorithm => (readable as readonly string[]).includes(name)

export const isSum = (name: string): name is Sum => (sums as readonly string[]).includes(name)

/** "SHA-256" as people and profiles write it, as the name that manifests bear. */
export const normalized = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

export const isWritable = (name: string): name is WritableAlgorithm =>
  (writable as readonly string[]).includes(name)
