/** The headers of an answer, by their names in lower case. */
export type Headers = Record<string, string | string[] | undefined>

/** A number of records or bytes; null where the header gives none. */
export const countOf = (header: string | string[] | undefined) =>
  /^\d{1,15}$/.test(String(header ?? '')) ? Number(header) : null

/** The methods that a path takes (Allow, RFC 9110 10.2.1). */
export const methodsIn = (header: string | string[] | undefined) =>
  String(header ?? '')
    .split(/\s*,\s*/)
    .filter(Boolean)

/** The address of the next page of a list (Link, RFC 8288), as it was sent. */
export const nextPage = (link: string | string[] | undefined) =>
  /<([^<>]+)>\s*;[^,<]*\brel="?next"?/i.exec([link].flat().join(','))?.[1]

/**
 * What a strong validator tells from any other content (RFC 9110 8.8): weak ones do not say that each byte is
 * the same.
 */
export const markOf = ({ etag, 'last-modified': modified, date }: Headers): string => {
  if (etag !== undefined) return /^"[^"]*"$/.test(String(etag)) ? String(etag) : ''
  // A time is strong once the answer is a second younger (8.8.2.2).
  return Date.parse(String(date)) - Date.parse(String(modified)) >= 1_000 ? String(modified) : ''
}

/** Which bytes came, of how many (RFC 9110 14.4); undefined where the header does not say both. */
export const contentRange = (
  header: string | string[] | undefined,
): { from: number; total: number } | undefined => {
  const [from, to, total] = (/^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(String(header)) ?? [])
    .slice(1)
    .map(Number)
  if (from === undefined || to === undefined || total === undefined) return undefined
  return from <= to && to < total ? { from, total } : undefined
}

/** Where a redirection leads (Location, RFC 9110 10.2.2); undefined where that is no address. */
export const redirection = (location: string | string[] | undefined, address: string) =>
  location === undefined ? undefined : URL.parse(String(location), address)?.href
