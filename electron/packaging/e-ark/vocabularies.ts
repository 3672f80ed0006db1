/** Content categories (CSIP2); those that are told apart by print and digital are what a desk packs. */
export const contentCategories = [
  'Mixed',
  'Textual works – Digital',
  'Textual works – Electronic Serials',
  'Digital Musical Composition (score-based representations)',
  'Photographs – Digital',
  'Other Graphic Images – Digital',
  'Audio – Media-independent (digital)',
  'Motion Pictures – Digital and Physical Media',
  'Video – File-based and Physical Media',
  'Software',
  'Datasets',
  'Geospatial Data',
  'Databases',
  'Websites',
  'Collection',
] as const

/** Content information types that an address or name of their own is not needed for (CSIP4). */
export const contentInformationTypes = ['MIXED', 'ERMS', 'SIARD1', 'SIARD2', 'SIARDDK', 'GeoData'] as const
