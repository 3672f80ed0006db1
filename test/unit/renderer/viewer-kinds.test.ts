import { expect, test } from 'vitest'
import { contentOf } from '../../../renderer/viewer/content.ts'
import { kinds } from '../../../renderer/viewer/kinds.ts'

/** Which kind an XML file of this text is. */
const kindOf = (text: string) => {
  const bytes = Buffer.from(text)
  const content = contentOf('fil.xml', bytes)
  const beginning = { extension: 'xml', bytes, text: bytes.toString('latin1') }
  return kinds.find(({ matches }) => matches(beginning, content))?.name
}

test.each([
  ['<mets>', 'mets'],
  ['\ufeff<?xml version="1.0"?>\n<METS:mets>', 'mets'],
  ['<?xml version="1.0"?><?xml-stylesheet href="a>b"?><!-- <svg> --><ead>', 'ead'],
  ['<!DOCTYPE svg PUBLIC "-//W3C//DTD > SVG" "svg.dtd"><svg:svg width="9">', 'drawing'],
  ['<?xml version="1.0"?><!DOCTYPE premis [ <!ENTITY a "<mets>"> ] ><premis/>', 'premis'],
  ['<?xml version="1.0"?><!-- <mets> ', 'xml'],
  ['<?xml version="1.0"?><!DOCTYPE mets [ <mets> ', 'xml'],
])('of %s the first element says the kind', (text, kind) => {
  expect(kindOf(text)).toBe(kind)
})

test('of a head of many comments the kind is known at once', () => {
  const comments = '<!-- Upprättad 1951 -->\n'.repeat(30)
  const began = performance.now()
  for (const end of ['', '<!-- ', '<!DOCTYPE mets [', '<1'])
    expect(kindOf(`<?xml version="1.0"?>\n${comments}${end}`)).toBe('xml')
  expect(kindOf(`<?xml version="1.0"?>\n${comments}<mets>`)).toBe('mets')
  expect(performance.now() - began).toBeLessThan(1_000)
})
