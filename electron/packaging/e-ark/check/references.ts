/** Where a reference of a METS leads: to a path below the package, or nowhere that is followed. */
export type Target = { path: string; spellings: string[] } | { refused: 'escapes' | 'external' }

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A path below the package; undefined where it leads out of it. */
const joined = (folder: string, path: string): string | undefined => {
  if (path.includes('\0')) return undefined
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

/**
 * Where a reference leads. It is read as a path relative to the METS (CSIP76), with or without "file:" before
 * it; nothing else is followed, and nothing is fetched.
 * @param folder that of the METS, below the package; empty for the root folder
 */
export const targetOf = (href: string, folder: string): Target => {
  if (/^[A-Za-z]:/.test(href) || /^[\\/]/.test(href)) return { refused: 'escapes' }
  const [, scheme, rest = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(href) ?? []
  if (scheme !== undefined && scheme.toLowerCase() !== 'file') return { refused: 'external' }
  // "file:///a" is what many tools write for "a"; with two slashes it would be a computer's name.
  if (scheme !== undefined && /^\/\/[^/.]/.test(rest)) return { refused: 'external' }
  const written = scheme === undefined ? href : rest.replace(/^\/+/, '')
  const first = decoded(written)
  if (/^[A-Za-z]:[\\/]/.test(first)) return { refused: 'escapes' }
  const path = joined(folder, first)
  if (path === undefined || path === '') return { refused: 'escapes' }
  const others = [
    written,
    // Some tools encode as forms do.
    decoded(written.replaceAll('+', ' ')),
    first.replaceAll('\\', '/'),
    // AIPs name files as they lie in their content, some of them.
    `content/${first}`,
  ].flatMap((other) => joined(folder, other) ?? [])
  const forms = [path, ...others].flatMap((name) => [name, name.normalize('NFC'), name.normalize('NFD')])
  return { path, spellings: [...new Set(forms)].filter((name) => name !== path && name !== '') }
}
