/** The last part of a path in a package, whose folders "/" alone sets apart: a name may hold a backslash. */
export const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The folder of a path in a package; empty for the package itself. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** The path of a name in a folder of a package; the package itself is the empty folder. */
export const pathBelow = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`

/** The last part of a path on a computer of whatever system; of a drive or the root, all of it. */
export const nameOnDisk = (path: string): string =>
  path.split(/[\\/]/).findLast((part) => part !== '') ?? path
