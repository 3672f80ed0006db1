/** A path below a folder, without "." and ".."; undefined where it leads out of the package. */
const below = (folder: string, path: string): string | undefined => {
  const parts: string[] = []
  for (const part of `${folder}/${path}`.split(/[/\\]/)) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

/** Where ESSArch, and an archive that does as it does, puts what was sent: its METS leaves that out. */
const sent = 'content'

/**
 * The paths in a package that may be meant where one of its files names another: below the folder in which
 * that file lies, else below one above it, the nearest first.
 * @param from the path of the file that names it
 */
export const pathsNamed = (from: string, named: string): string[] => {
  const parts = from.split('/')
  const folders = parts.map((_, index) => parts.slice(0, index).join('/')).reverse()
  const paths = folders
    .flatMap((folder) => [below(folder, named), below(folder, `${sent}/${named}`)])
    .filter((path) => path !== undefined)
  return [...new Set(paths)].filter(Boolean)
}
