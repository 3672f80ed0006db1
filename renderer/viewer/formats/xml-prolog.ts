/**
 * One thing that stands before the first element of XML (XML 1.0, 2.8): space, the declaration or another
 * instruction, a comment, a type of document. Each is passed over for good, so that nothing is read twice.
 */
const beforeElement = /\s+|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE(?:[^>["']|"[^"]*"|'[^']*')*(?:\[[^]*?\]\s*)?>/iy
const byteOrderMark = '\xef\xbb\xbf'
const element = /<([\w:.-]+)/y

/**
 * The name of a document’s first element, without its prefix; empty for what is no XML.
 * @param text its beginning, a character a byte
 */
export const rootIn = (text: string): string => {
  let at = text.startsWith(byteOrderMark) ? byteOrderMark.length : 0
  for (;;) {
    beforeElement.lastIndex = at
    if (!beforeElement.test(text)) break
    at = beforeElement.lastIndex
  }
  element.lastIndex = at
  const [, name = ''] = element.exec(text) ?? []
  return name.slice(name.indexOf(':') + 1)
}
