import type { Conventions } from '../../archive-client/conventions.ts'

const length = 200

/**
 * Plain arrays, in pages where the archive has more (ESSArch: ten where nobody says how many, Count and
 * Link).
 */
export const conventions: Conventions = {
  base: 'api/',
  envelope: null,
  countHeader: 'count',
  usualLength: 10,
  pageParameter: 'page',
  sizeParameter: 'page_size',
  pageMs: 20_000,
  readings: [
    { length, parameters: { page_size: String(length) } },
    { length, parameters: { pager: 'none' } },
    { length, parameters: { page_size: String(length), ordering: 'id' } },
    { length, parameters: { page_size: String(length), ordering: '-id' } },
  ],
}
