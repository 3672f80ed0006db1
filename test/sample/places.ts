import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../..')

/** Where the files of the practice archive are, and the list of its packages. */
export const sample = path.join(root, 'resources/sample')
