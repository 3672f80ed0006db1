import { entryIn } from './records.ts'

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** What no XML 1.0 document may hold, not even as a reference (XML 1.0, 2.2). */
// eslint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** A text as it stands in an element or attribute; what XML cannot hold becomes U+FFFD. */
export const escaped = (text: string) =>
  // Most texts of a million have none of these signs.
  /[^ !#-%'-;=?-~\u00a0-\ud7ff]/.test(text)
    ? text
        .toWellFormed()
        .replace(forbidden, '\uFFFD')
        .replace(/[&<>"\t\n\r]/g, (sign) => entryIn(signs, sign) ?? sign)
    : text

/** Attributes of an element, those without a value left out. */
const attributesOf = (attributes: Record<string, string | number>) =>
  Object.entries(attributes)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('')

/** An element with parts that are XML already. */
export const element = (
  name: string,
  attributes: Record<string, string | number>,
  ...parts: string[]
): string => {
  const inside = parts.join('')
  const begin = `<${name}${attributesOf(attributes)}`
  return inside === '' ? `${begin}/>` : `${begin}>${inside}</${name}>`
}

/** The begin of an element whose parts follow one after the other. */
export const opening = (name: string, attributes: Record<string, string | number>) =>
  `<${name}${attributesOf(attributes)}>`

export const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** A path as a relative address (RFC 3986): each of its names percent-encoded. */
export const hrefOf = (path: string) =>
  /[^\w./~-]/.test(path) ? path.split('/').map(encodeURIComponent).join('/') : path
