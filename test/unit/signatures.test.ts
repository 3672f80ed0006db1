import { expect, test } from 'vitest'
import { certainFormatOf } from '../../electron/reader/certain-formats.ts'
import { signatureOf } from '../../renderer/viewer/formats/signatures.ts'
import { keptFile } from '../viewer/specimens.ts'

const at = (place: number, text: string) =>
  Buffer.concat([Buffer.alloc(place), Buffer.from(text, 'latin1'), Buffer.alloc(64)])

/** How files begin, and the number by which PRONOM’s own record of the format knows that beginning. */
const beginnings: [name: string, beginning: Buffer, pronom: string | undefined][] = [
  ['7-Zip', at(0, '7z\xbc\xaf\x27\x1c'), 'fmt/484'],
  ['RAR 5', at(0, 'Rar!\x1a\x07\x01\x00'), 'fmt/613'],
  ['XZ', at(0, '\xfd7zXZ\x00'), 'fmt/1098'],
  ['BZIP2', at(0, 'BZh91AY&SY'), 'x-fmt/268'],
  ['Microsoft Cabinet', at(0, 'MSCF\0\0\0\0'), 'x-fmt/414'],
  ['Adobe Photoshop', at(0, '8BPS\0\x01\0\0\0\0\0\0\0'), 'x-fmt/92'],
  ['ESRI Shapefile', at(0, '\0\0\x27\x0a'), 'x-fmt/235'],
  ['MIDI', at(0, 'MThd\0\0\0\x06\0\x01'), 'x-fmt/230'],
  ['Flash Video', at(0, 'FLV\x01'), 'x-fmt/382'],
  ['TrueType', at(0, '\0\x01\0\0\0'), 'x-fmt/453'],
  ['OpenType', at(0, 'OTTO'), 'fmt/520'],
  ['Java class', at(0, '\xca\xfe\xba\xbe'), 'x-fmt/415'],
  // PRONOM has several formats that begin so.
  ['RAR', at(0, 'Rar!\x1a\x07\x00'), undefined],
  ['ISO 9660', at(32_769, 'CD001'), undefined],
  ['Adobe Photoshop, large', at(0, '8BPS\0\x02'), undefined],
  ['Material Exchange Format (MXF)', at(0, '\x06\x0e\x2b\x34\x02\x05\x01\x01'), undefined],
  ['Advanced Systems Format (WMA, WMV)', at(0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11'), undefined],
  ['Windows or DOS program', at(0, 'MZ'), undefined],
]

test.each(beginnings)('%s is known by its beginning', (name, beginning, pronom) => {
  const { name: found, pronom: number } = signatureOf(beginning) ?? {}
  expect({ found, number }).toEqual({ found: name, number: pronom })
})

test('a letter of Outlook is called by what it surely is, not by a short name of programmers', () => {
  const letter = at(0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')
  expect(certainFormatOf(letter)).toEqual({ puid: '', name: 'OLE2 Compound Document' })
})

test('a file is given a number of PRONOM by its beginning where that is certain', () => {
  const kept = (name: string) => certainFormatOf(keptFile(name))?.puid
  expect({
    gif: kept('squares.gif'),
    jp2: kept('squares.jp2'),
    flac: kept('syn.flac'),
    tiff: kept('tiles.tif'),
    zip: kept('brev.docx'),
    warc: certainFormatOf(at(0, 'WARC/1.0\r\nWARC-Type: warcinfo'))?.puid,
    'warc 1.1': certainFormatOf(at(0, 'WARC/1.1\r\nWARC-Type: warcinfo'))?.puid,
    // A GeoPackage begins so too.
    sqlite: certainFormatOf(at(0, 'SQLite format 3\0'))?.puid,
  }).toEqual({
    gif: 'fmt/4',
    jp2: 'x-fmt/392',
    flac: 'fmt/279',
    tiff: undefined,
    zip: undefined,
    warc: 'fmt/1355',
    'warc 1.1': 'fmt/1281',
    sqlite: undefined,
  })
})
