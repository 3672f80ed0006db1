import fc, { runs, seed } from '../../../support/properties.ts'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { crc32, deflateRawSync } from 'node:zlib'
import { scratch } from '../../../support/scratch.ts'
import { askPrograms, missingPrograms } from '../../../packages/container-programs.ts'
import {
  bagContents,
  field,
  longName,
  paxHeader,
  paxRecord,
  tarEnd,
  tarEntriesOf,
  tarEntry,
  tarOf,
  unicodePath,
  wide,
  zipEntriesOf,
  zipOf,
  type ZipEntry,
  type ZipShape,
} from '../../../packages/crafted-containers.ts'
import { ContainerError } from '../../../../electron/packaging/entries/container-error.ts'
import { walkBag } from '../../../../electron/packaging/bagit/check/contents.ts'
import { readUnread } from '../../../../electron/packaging/entries/read-unread.ts'
import { check } from '../../../packages/packing.ts'

// What other programs refuse, or unpack differently, is not valid; what all of them take and unpack alike is.

const missing = missingPrograms()
const others = missing.length > 0 ? test.skip : test
if (missing.length > 0)
  console.warn(`Not asked, because they are missing: ${missing.join(', ')} (apt-get install).`)

const contents = bagContents({ 'data/a.txt': 'a'.repeat(300), 'data/m/b.txt': 'b' })
const sound = () => zipEntriesOf(contents)
const a = Buffer.from('a'.repeat(300))
const deflated = deflateRawSync(a)
const utf8 = 0x0800

/** The sound bag with its payload file data/a.txt, the third entry, made otherwise. */
const withThird = (change: Partial<ZipEntry>, shape: ZipShape = {}) =>
  zipOf(
    sound().map((entry, index) => (index === 2 ? { ...entry, ...change } : entry)),
    shape,
  )
/** The sound bag and an entry more. */
const withMore = (...more: ZipEntry[]) => zipOf([...sound(), ...more])
const bagOf = (names: string[]) => bagContents(Object.fromEntries(names.map((name) => [`data/${name}`, 'x'])))
const described = (crc: number, stored: number, bytes: number, mark = true, long = false) => {
  const numbers = Buffer.alloc(long ? 20 : 12)
  numbers.writeUInt32LE(crc, 0)
  if (long) {
    numbers.writeBigUInt64LE(BigInt(stored), 4)
    numbers.writeBigUInt64LE(BigInt(bytes), 12)
  } else {
    numbers.writeUInt32LE(stored, 4)
    numbers.writeUInt32LE(bytes, 8)
  }
  return mark ? Buffer.concat([Buffer.from('PK\u0007\u0008', 'latin1'), numbers]) : numbers
}
const streamed = (behind: Buffer): Partial<ZipEntry> => ({
  flags: utf8 | 8,
  local: { crc: 0, stored: 0, bytes: 0 },
  behind,
})
const crc = crc32(a)
const renamed = (name: string | Buffer, raw: Buffer | string, fields: Partial<ZipEntry> = {}) =>
  zipOf(
    zipEntriesOf(bagOf([name.toString()])).map((entry, index) =>
      index === 2 ? { ...entry, name: raw, ...fields } : entry,
    ),
  )

const none = Buffer.alloc(0)
/** The sound bag with these extra fields of data/a.txt. */
const withFields = (local: Buffer, central = local, flags = utf8) =>
  withThird({ flags, local: { extra: local }, central: { extra: central } })
const aName = Buffer.from('bag/data/a.txt')
const otherPath = unicodePath(aName, 'bag/data/c.txt')
const laterPath = Buffer.from(otherPath)
laterPath[4] = 2
/** libarchive's field of version, internal and external attributes: here those of a link. */
const linkAttributes = field(0x6c78, Buffer.from([5, 0, 3, 0, 0, 0xff, 0xa1]))

const zips: Record<string, Buffer> = {
  sound: zipOf(sound()),
  'not compressed': zipOf(sound().map((entry) => ({ ...entry, method: 0 }))),
  'CRC of both headers': withThird({ local: { crc: 1 }, central: { crc: 1 } }),
  'CRC of the local header': withThird({ local: { crc: 1 } }),
  'CRC of the directory': withThird({ central: { crc: 1 } }),
  'local name': withThird({ local: { name: 'bag/data/b.txt' } }),
  'local length': withThird({ local: { bytes: 7 } }),
  'local stored length': withThird({ local: { stored: 7 } }),
  'local method': withThird({ local: { method: 0 } }),
  'local flags': withThird({ local: { flags: 0 } }),
  'local extra field': withThird({ local: { extra: field(0x5455, Buffer.from([1, 0, 0, 0, 0])) } }),
  'broken extra field': withThird({ central: { extra: Buffer.from([0x55, 0x54, 200, 0, 1]) } }),
  'bytes before': withThird({}, { before: Buffer.from('leading bytes') }),
  'bytes before the directory': withThird({}, { beforeDirectory: Buffer.from('hidden') }),
  'bytes behind the directory': withThird({}, { behindDirectory: Buffer.from('hidden') }),
  'bytes between entries': withThird({ behind: Buffer.from('hidden') }),
  'an entry that is not listed': zipOf(sound(), { order: [0, 1, 3] }),
  'bytes after': withThird({}, { after: Buffer.from('trailing') }),
  'a comment': withThird({}, { comment: Buffer.from('made by hand') }),
  'a comment of an entry': withThird({ central: { comment: 'x' } }),
  'an end in the comment': withThird({}, { comment: zipOf([]) }),
  'two zips': Buffer.concat([zipOf(sound()), zipOf(sound())]),
  'directory in another order': zipOf(sound(), { order: [3, 1, 0, 2] }),
  'an entry listed twice': zipOf(sound(), { order: [0, 1, 2, 3, 2] }),
  'one content for two': withMore({ name: 'bag/data/m/c.txt', content: 'b', method: 8, sameAs: 3 }),
  'one name twice': withMore({ name: 'bag/data/a.txt', content: 'other' }),
  'a file that is a folder': withMore({ name: 'bag/data/a.txt/', content: '' }),
  'a file that files lie in': withMore({ name: 'bag/data/a.txt/x', content: '' }),
  'a folder that is a file': withMore({ name: 'bag/data/m', content: 'x' }),
  'folders that are listed': withMore(
    { name: 'bag/data/' },
    { name: 'bag/data/m/' },
    { name: 'bag/data/tom/' },
  ),
  'a folder that is compressed': withMore({ name: 'bag/data/tom/', method: 8 }),
  'a folder with content': withMore({ name: 'bag/data/tom/', content: 'x' }),
  'a folder with broken nothing': withMore({
    name: 'bag/data/tom/',
    method: 8,
    raw: Buffer.from([0xff, 0xff]),
  }),
  'a folder of MS-DOS without slash': withThird({ central: { host: 0, attributes: 0x10 } }),
  'a folder of Unix without slash': withThird({ central: { attributes: 0o040755 * 65_536 } }),
  'a label of a disk': withThird({ central: { host: 0, attributes: 0x08 } }),
  'a link': withMore({ name: 'bag/data/l', content: 'a.txt', central: { attributes: 0o120777 * 65_536 } }),
  'a device': withMore({ name: 'bag/data/l', central: { attributes: 0o020777 * 65_536 } }),
  'attributes of MS-DOS': withThird({ central: { host: 0, attributes: 0x20 } }),
  'described, with mark': withThird(streamed(described(crc, deflated.length, 300))),
  'described, without mark': withThird(streamed(described(crc, deflated.length, 300, false))),
  'described, long': withThird(streamed(described(crc, deflated.length, 300, true, true))),
  'described with another CRC': withThird(streamed(described(1, deflated.length, 300))),
  'described with another length': withThird(streamed(described(crc, deflated.length, 301))),
  'not described': withThird(streamed(Buffer.alloc(0))),
  encrypted: withThird({ flags: utf8 | 1 }),
  'strongly encrypted': withThird({ flags: utf8 | 0x41 }),
  patched: withThird({ flags: utf8 | 0x20 }),
  'method deflate64': withThird({ local: { method: 9 }, central: { method: 9 } }),
  'method bzip2': withThird({ local: { method: 12 }, central: { method: 12 } }),
  'method lzma': withThird({ local: { method: 14 }, central: { method: 14 } }),
  'method 99': withThird({ local: { method: 99 }, central: { method: 99 } }),
  'version 9.9': withThird({ local: { needed: 99 }, central: { needed: 99 } }),
  'another disk': withThird({ central: { disk: 1 } }),
  'part of several': withThird({}, { end: { 4: 1, 6: 1 } }),
  'count too small': withThird({}, { end: { 8: 3, 10: 3 } }),
  'count too large': withThird({}, { end: { 8: 5, 10: 5 } }),
  'directory elsewhere': withThird({}, { end: { 16: 3 } }),
  'directory too short': withThird({}, { end: { 12: 60 } }),
  'bytes behind what is compressed': withThird({ raw: Buffer.concat([deflated, Buffer.from('x')]) }),
  'compressed, cut': withThird({ raw: deflated.subarray(0, -3) }),
  'compressed, not at all': withThird({ raw: Buffer.from('this is no deflate') }),
  'more than announced': withThird({ local: { bytes: 10 }, central: { bytes: 10 } }),
  'less than announced': withThird({ local: { bytes: 301 }, central: { bytes: 301 } }),
  'impossible announcement': withThird({ local: { bytes: 2 ** 31 }, central: { bytes: 2 ** 31 } }),
  'position behind the end': withThird({ central: { at: 1e9 } }),
  'position of no header': withThird({ central: { at: 5 } }),
  'stored longer than the file': withThird({ local: { stored: 1e9 }, central: { stored: 1e9 } }),
  zip64: withThird({}, { zip64: true, end: { 8: 0xffff, 10: 0xffff, 12: 0xffffffff, 16: 0xffffffff } }),
  'zip64 with another place': withThird({}, { zip64: { at: 0 }, end: { 16: 0xffffffff } }),
  'zip64 with another count': withThird({}, { zip64: { entries: 3 }, end: { 8: 0xffff, 10: 0xffff } }),
  'zip64 of several disks': withThird({}, { zip64: { disks: 2 }, end: { 16: 0xffffffff } }),
  'zip64 against the end': withThird({}, { zip64: { entries: 3 } }),
  'zip64 lengths': withThird({
    local: { bytes: 0xffffffff, stored: 0xffffffff, extra: wide(300, deflated.length) },
    central: { bytes: 0xffffffff, stored: 0xffffffff, extra: wide(300, deflated.length) },
  }),
  'zip64 lengths that differ': withThird({
    local: { bytes: 0xffffffff, stored: 0xffffffff, extra: wide(301, deflated.length) },
    central: { bytes: 0xffffffff, stored: 0xffffffff, extra: wide(300, deflated.length) },
  }),
  'zip64 lengths that are missing': withThird({
    local: { bytes: 0xffffffff },
    central: { bytes: 0xffffffff },
  }),
  'name with zero': renamed('a', 'bag/data/a\u0000b'),
  'name with tab': renamed('a\tb', 'bag/data/a\tb'),
  'name with delete': renamed('a\u007f', 'bag/data/a\u007f'),
  'name with a version of VMS': renamed('a;1', 'bag/data/a;1'),
  'folder with a version of VMS': renamed('a;1/b', 'bag/data/a;1/b'),
  'name with a semicolon': renamed('a;b', 'bag/data/a;b'),
  'name with backslash': renamed('a\\b', 'bag/data/a\\b'),
  'name of 300 letters': renamed('a'.repeat(300), `bag/data/${'a'.repeat(300)}`),
  'name up': withMore({ name: 'bag/../../x' }),
  'name from the root': withMore({ name: '/tmp/x' }),
  'name without UTF-8, marked': renamed('a', Buffer.from('bag/data/\xe5', 'latin1')),
  'name in UTF-8, marked': renamed('å', 'bag/data/å'),
  'names that differ in case': zipOf(zipEntriesOf(bagOf(['a', 'A']))),
  'names that differ in form': zipOf(zipEntriesOf(bagOf(['\u00e5', 'a\u030a']))),
  'field of another name': renamed('b', 'bag/data/a', {
    flags: 0,
    local: { extra: unicodePath(Buffer.from('bag/data/a'), 'bag/data/b') },
    central: { extra: unicodePath(Buffer.from('bag/data/a'), 'bag/data/b') },
  }),
  'folder of the archive itself': withMore({ name: './' }),
  'no name': withMore({ name: '', content: 'x' }),
  'no name, and a wrong CRC': withMore({ name: '', content: 'x', local: { crc: 1 }, central: { crc: 1 } }),
  'a name that is a dot': withMore({ name: '.', content: 'x' }),
  'a name that is a dot, compressed, not at all': withMore({
    name: '.',
    content: 'x',
    method: 8,
    raw: Buffer.from([0xff, 0xff, 0xff]),
  }),
  'a link named as the folder': withMore({
    name: '.',
    content: '/etc',
    central: { attributes: 0o120777 * 65_536 },
  }),
  'a folder that is the root': withMore({ name: '/' }),
  'field of the same name': withFields(unicodePath(aName, 'bag/data/a.txt')),
  'field of the same name, local alone': withFields(unicodePath(aName, 'bag/data/a.txt'), none),
  'field of another name, local alone': withFields(otherPath, none),
  'field of another name, directory alone': withFields(none, otherPath),
  'field of another name, not marked, local alone': withFields(otherPath, none, 0),
  'field of another name, not marked, directory alone': withFields(none, otherPath, 0),
  'field of another name, marked': withFields(otherPath),
  'field of another version': withFields(laterPath, laterPath, 0),
  'field of another version, marked': withFields(laterPath),
  'field of no name': withFields(unicodePath(aName, ''), unicodePath(aName, ''), 0),
  'field of attributes of a link': withFields(linkAttributes),
  'field of attributes of a link, local alone': withFields(linkAttributes, none),
  'field of attributes of a link, directory alone': withFields(none, linkAttributes),
  'from inside the bag': zipOf(zipEntriesOf(contents, '')),
  'cut off': zipOf(sound()).subarray(0, -30),
}

/** Names that are read by the rules of the format although programs differ in them; a warning says so. */
const readByRule: Record<string, Buffer> = {
  'name in code page 437': renamed('å', Buffer.from('bag/data/\x86', 'latin1'), { flags: 0 }),
  'name in UTF-8, not marked': renamed('å', 'bag/data/å', { flags: 0 }),
  'name in a field': renamed('å', Buffer.from('bag/data/\xe5', 'latin1'), {
    flags: 0,
    local: { extra: unicodePath(Buffer.from('bag/data/\xe5', 'latin1'), 'bag/data/å') },
    central: { extra: unicodePath(Buffer.from('bag/data/\xe5', 'latin1'), 'bag/data/å') },
  }),
  'name in a field whose CRC is that of another': renamed('å', Buffer.from('bag/data/\x86', 'latin1'), {
    flags: 0,
    local: { extra: unicodePath(Buffer.from('x'), 'bag/data/b') },
    central: { extra: unicodePath(Buffer.from('x'), 'bag/data/b') },
  }),
}

const tarSound = () => tarEntriesOf(contents)
const tarMore = (...more: Parameters<typeof tarOf>[0]) => tarOf([...tarSound(), ...more])
const tarRenamed = (name: string, ...parts: Parameters<typeof tarOf>[0]) =>
  tarOf([...tarEntriesOf(bagOf([name])).slice(0, 2), ...parts])
const x = { name: 'bag/data/b', content: 'x' }
const old = { magic: '\0\0\0\0\0\0\0\0' }

const tars: Record<string, Buffer> = {
  sound: tarOf(tarSound()),
  'of before POSIX': tarOf(tarSound().map((entry) => ({ ...entry, ...old }))),
  'of GNU': tarOf(tarSound().map((entry) => ({ ...entry, magic: 'ustar  \0' }))),
  'folders that are listed': tarMore(
    { name: 'bag/data/m/', type: '5' },
    { name: 'bag/data/tom/', type: '5' },
  ),
  'a folder listed twice': tarMore({ name: 'bag/data/m/', type: '5' }, { name: 'bag/data/m', type: '5' }),
  'a folder with content': tarMore({ name: 'bag/data/m/', type: '5', content: 'x' }),
  'a file that ends with a slash': tarMore({ name: 'bag/data/n/', content: '' }),
  'an old file that ends with a slash': tarMore({ name: 'bag/data/n/', type: '\0', ...old }),
  'one name twice': tarMore({ name: 'bag/data/a.txt', content: 'other' }),
  'a file that is a folder': tarMore({ name: 'bag/data/a.txt', type: '5' }),
  'a file that files lie in': tarMore({ name: 'bag/data/a.txt/x', content: 'x' }),
  'a folder that is a file': tarMore({ name: 'bag/data/m', content: 'x' }),
  'a hard link': tarMore({ name: 'bag/data/l', type: '1', linkname: 'bag/data/a.txt' }),
  'a link': tarMore({ name: 'bag/data/l', type: '2', linkname: 'a.txt' }),
  'a device': tarMore({ name: 'bag/data/l', type: '3' }),
  'a pipe': tarMore({ name: 'bag/data/l', type: '6' }),
  'a type that nobody knows': tarMore({ name: 'bag/data/l', type: 'Q' }),
  'a sparse file': tarMore({ name: 'bag/data/l', type: 'S' }),
  'a prefix': tarRenamed('b', { ...x, name: 'data/b', prefix: 'bag' }),
  'a prefix of GNU': tarRenamed('b', { ...x, magic: 'ustar  \0', prefix: 'bag' }),
  'another name in pax': tarRenamed('b', paxHeader([['path', 'bag/data/b']]), { ...x, name: 'bag/data/c' }),
  'another length in pax': tarRenamed('b', paxHeader([['size', '1']]), { ...x, size: '00000000000\0' }),
  'two names in pax': tarRenamed(
    'b',
    paxHeader([
      ['path', 'bag/data/c'],
      ['path', 'bag/data/b'],
    ]),
    x,
  ),
  'two headers of pax': tarRenamed('b', paxHeader([['path', 'bag/data/c']]), paxHeader([['mtime', '1']]), x),
  'a name for all that follow': tarRenamed('b', paxHeader([['path', 'bag/data/c']], 'g'), x),
  'a comment for all that follow': tarOf([paxHeader([['comment', 'x']], 'g'), ...tarSound()]),
  'names of pax and of GNU': tarRenamed('b', paxHeader([['path', 'bag/data/b']]), longName('bag/data/c'), x),
  'a long name of GNU': tarRenamed('b', longName('bag/data/b'), { ...x, magic: 'ustar  \0' }),
  'two long names': tarRenamed('b', longName('bag/data/c'), longName('bag/data/b'), {
    ...x,
    magic: 'ustar  \0',
  }),
  'a long name with a zero': tarRenamed('b', longName('bag/data/b\0c'), { ...x, magic: 'ustar  \0' }),
  'a long link for a file': tarRenamed('b', longName('bag/data/c', 'K'), { ...x, magic: 'ustar  \0' }),
  'sparse by pax': tarRenamed(
    'b',
    paxHeader([
      ['GNU.sparse.major', '1'],
      ['GNU.sparse.minor', '0'],
      ['GNU.sparse.name', 'bag/data/c'],
      ['GNU.sparse.realsize', '1'],
    ]),
    x,
  ),
  'broken pax': tarRenamed('b', tarEntry({ name: 'x', type: 'x', content: '99 path=bag/data/b\n' }), x),
  'pax with zero length': tarRenamed('b', tarEntry({ name: 'x', type: 'x', content: '0 path=b\n' }), x),
  'pax with a name with zero': tarRenamed(
    'b',
    tarEntry({ name: 'x', type: 'x', content: paxRecord('path', 'bag/data/b\0c') }),
    x,
  ),
  'folder of the archive itself': tarOf([{ name: './', type: '5' }, ...tarSound()]),
  'no name': tarMore({ name: '', content: 'x' }),
  'a name that is a dot': tarMore({ name: '.', content: 'x' }),
  'a link named as the folder': tarMore({ name: './', type: '2', linkname: '/etc' }),
  'a folder that is the root': tarMore({ name: '/', type: '5' }),
  'no name in pax': tarRenamed('b', paxHeader([['path', '']]), x),
  'no name in pax, for a file that nobody lists': tarMore(paxHeader([['path', '']]), {
    name: 'bag/data/hidden',
    content: 'x',
  }),
  'a dot as name in pax': tarMore(paxHeader([['path', '.']]), { name: 'bag/data/hidden', content: 'x' }),
  'no long name': tarMore(longName(''), { name: 'bag/data/hidden', content: 'x', magic: 'ustar  \0' }),
  'another length of star': tarRenamed('b', paxHeader([['SCHILY.realsize', '0']]), x),
  'a longer length of star': tarRenamed('b', paxHeader([['SCHILY.realsize', '50']]), x),
  'sparse by star': tarRenamed(
    'b',
    paxHeader([
      ['SCHILY.filetype', 'sparse'],
      ['SCHILY.realsize', '20'],
    ]),
    x,
  ),
  'holes of Solaris': tarRenamed('b', paxHeader([['SUN.holesdata', ' 1']]), x),
  'a key that nobody knows': tarRenamed('b', paxHeader([['VENDOR.key', '1']]), x),
  'what programs keep beside the content': tarRenamed(
    'b',
    paxHeader([
      ['atime', '1.5'],
      ['ctime', '-1.5'],
      ['mtime', '1700000000.123456789'],
      ['uid', '70000'],
      ['gname', 'arkiv'],
      ['comment', 'x'],
      ['LIBARCHIVE.creationtime', '1'],
      ['LIBARCHIVE.xattr.user.x', 'AQ'],
      ['SCHILY.xattr.user.x', Buffer.from([0, 10, 61])],
      ['SCHILY.dev', '1'],
      ['SCHILY.ino', '2'],
      ['SCHILY.nlink', '2'],
    ]),
    x,
  ),
  'length in base 256': tarRenamed('b', { ...x, size: Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]) }),
  'negative length': tarRenamed('b', { ...x, size: Buffer.alloc(12, 0xff) }),
  'length that is no number': tarRenamed('b', { ...x, size: '0x000000001\0' }),
  'length in blanks': tarRenamed('b', { ...x, size: '          1\0' }),
  'owner that is no number': tarRenamed('b', { ...x, bytes: { 108: 'abcdefg\0' } }),
  'rights in blanks': tarRenamed('b', { ...x, bytes: { 100: '        ' } }),
  'rights in zeros': tarRenamed('b', { ...x, bytes: { 100: Buffer.alloc(8) } }),
  'an owner beyond all': tarRenamed('b', {
    ...x,
    bytes: { 108: Buffer.from([0x80, 127, 127, 127, 127, 127, 127, 127]) },
  }),
  'a negative owner': tarRenamed('b', { ...x, bytes: { 108: Buffer.alloc(8, 0xff) } }),
  'a time beyond all': tarRenamed('b', {
    ...x,
    bytes: { 136: Buffer.concat([Buffer.from([0x80]), Buffer.alloc(11, 127)]) },
  }),
  'a time that is no number': tarRenamed('b', paxHeader([['mtime', 'abc']]), x),
  'an owner that is no number, in pax': tarRenamed('b', paxHeader([['uid', 'abc']]), x),
  'an owner beyond all, in pax': tarRenamed('b', paxHeader([['uid', '4294967296']]), x),
  'a time for all that is no number': tarRenamed('b', paxHeader([['mtime', 'abc']], 'g'), x),
  'a comment for none': tarMore(paxHeader([['comment', 'x']], 'g')),
  'two comments for none': tarMore(paxHeader([['comment', 'x']], 'g'), paxHeader([['comment', 'x']], 'g')),
  'time before 1970': tarRenamed('b', { ...x, bytes: { 136: Buffer.alloc(12, 0xff) } }),
  'a wrong checksum': tarRenamed('b', { ...x, sum: '000123\0 ' }),
  'an archive behind the end': Buffer.concat([
    tarOf(tarSound()),
    tarOf([{ name: 'bag/data/z', content: 'z' }]),
  ]),
  'an entry behind an empty block': tarOf([
    ...tarSound(),
    Buffer.alloc(512),
    { name: 'bag/data/z', content: 'z' },
  ]),
  'no end': tarOf(tarSound(), Buffer.alloc(0)),
  'one empty block at the end': tarOf(tarSound(), tarEnd(1)),
  'cut off': tarOf(tarSound()).subarray(0, 2_000),
  'cut off at a block': tarOf(tarSound()).subarray(0, 2_560),
  'name without UTF-8': tarRenamed('b', x, { name: Buffer.from('bag/data/\xe5', 'latin1'), content: 'x' }),
  'name up': tarMore({ name: 'bag/../../x', content: 'x' }),
  'name from the root': tarMore({ name: '/tmp/x', content: 'x' }),
  'name with a newline': tarRenamed('a\nb', { ...x, name: 'bag/data/a\nb' }),
  'from inside the bag': tarOf(tarEntriesOf(contents, '')),
  'from inside the bag, with dots': tarOf(tarEntriesOf(contents, './')),
}

/** What is no fault of the archive, so other programs do not see it. */
const ofTheBag = new Set(['from inside the bag', 'from inside the bag, with dots'])
/**
 * What bsdtar alone unpacks otherwise: it composes accents. The check of the manifest tells of such names.
 */
const told = new Set(['names that differ in form'])
/**
 * What we refuse though other programs take it: links, names that stand twice, contradictions, bytes that
 * nobody lists, tars without an end.
 */
const stricter: Record<'zip' | 'tar', Set<string>> = {
  zip: new Set([
    'bytes before',
    'bytes before the directory',
    'bytes between entries',
    'an entry that is not listed',
    'bytes after',
    'one name twice',
    'a folder with content',
    'a device',
    'described with another CRC',
    'described with another length',
    'name with zero',
    'name up',
    'field of another name, directory alone',
  ]),
  tar: new Set([
    'one name twice',
    'a hard link',
    'a link',
    'a device',
    'a pipe',
    'a type that nobody knows',
    'a sparse file',
    'two names in pax',
    'names of pax and of GNU',
    'a long name with a zero',
    'a long link for a file',
    'an archive behind the end',
    'an entry behind an empty block',
    'no end',
    'name without UTF-8',
    'a folder that is the root',
    'a key that nobody knows',
  ]),
}

/**
 * What is found of the archive itself, before its bag is read: every entry looked at, every content unpacked
 * and its CRC compared.
 */
const archiveFindings = async (file: string) => {
  const found = { error: new Set<string>(), warning: new Set<string>() }
  try {
    const around = walkBag(file, {
      label: path.basename(file),
      found: (level, code) => found[level].add(code),
      gate: () => true,
    })
    if (around)
      await readUnread(
        around.place,
        () => true,
        (code) => found.error.add(code),
      )
    if (!around || around.place.top === '') found.error.add('no-base-folder')
  } catch (error) {
    if (!(error instanceof ContainerError)) throw error
    found.error.add(error.code)
  }
  return { errors: [...found.error], warnings: [...found.warning] }
}

const verdicts = async (
  folder: string,
  cases: Record<string, Buffer>,
  form: 'zip' | 'tar',
  without: string[] = [],
) => {
  const files = Object.entries(cases).map(([name, bytes], index) => {
    mkdirSync(path.join(folder, String(index)))
    // A name of its own folder: the bag in it is named "bag", as the file is.
    const file = path.join(folder, String(index), `bag.${form}`)
    writeFileSync(file, bytes)
    writeFileSync(path.join(folder, `${index}.${form}`), bytes)
    return { name, index, file }
  })
  const verdicts = askPrograms(folder, form, without)
  const answers = []
  for (const { name, index, file } of files) {
    const { errors, warnings } = await archiveFindings(file)
    const asked = verdicts.get(`${index}.${form}`)
    const doubts = [...(asked?.refusedBy ?? []), ...((asked?.trees.size ?? 0) > 1 ? ['trees'] : [])]
    answers.push({ name, errors, warnings, doubts, trees: [...(asked?.trees.keys() ?? [])] })
  }
  return answers
}

others.each<['zip' | 'tar', Record<string, Buffer>]>([
  ['zip', zips],
  ['tar', tars],
])('%s: as other programs say', { timeout: 600_000 }, async (form, cases) => {
  using place = scratch()
  const answers = await verdicts(place.folder, cases, form)
  const isWrong = ({ name, errors, doubts }: (typeof answers)[number]) =>
    (errors.length === 0) !== (doubts.length === 0 && !ofTheBag.has(name) && !stricter[form].has(name))
  const wrong = answers.filter((entry) => !told.has(entry.name) && isWrong(entry))
  expect(wrong.map(({ name, errors, doubts }) => ({ name, errors, doubts }))).toEqual([])
})

others('names that programs read differently are read by the rules, and told', async () => {
  using place = scratch()
  const answers = await verdicts(place.folder, readByRule, 'zip')
  expect(answers.map(({ name, errors, warnings }) => [name, errors, warnings])).toEqual(
    Object.keys(readByRule).map((name) => [name, [], ['name-unmarked']]),
  )
})

/** A bag with entries of many kinds, each sound. */
const varied = () =>
  zipOf(
    [
      ...sound().map((entry, index) =>
        index === 2 ? { ...entry, ...streamed(described(crc, deflated.length, 300)) } : entry,
      ),
      { name: 'bag/data/' },
      { name: 'bag/data/tom/', method: 8 },
    ].map((entry) => ({ central: { extra: field(0x5455, Buffer.from([1, 9, 9, 9, 9])) }, ...entry })),
    { zip64: true, comment: Buffer.from('a comment') },
  )

others(
  'any bit that is turned and changes something for another program is found',
  { timeout: 600_000 },
  async () => {
    using place = scratch()
    const whole = varied()
    const flips = fc.sample(fc.tuple(fc.nat(whole.length - 1), fc.nat(7)), { numRuns: runs(120), seed })
    const cases = Object.fromEntries([
      ['nothing', whole],
      ...flips.map(([at, bit]) => {
        const bytes = Buffer.from(whole)
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
        return [`bit ${bit} of ${at}`, bytes] as const
      }),
    ])
    // bsdtar refuses fields of times that are cut, which change nothing but times.
    const answers = await verdicts(place.folder, cases, 'zip', ['bsdtar'])
    const [tree] = answers.find(({ name }) => name === 'nothing')?.trees ?? []
    expect({
      seed,
      sound: answers.filter(({ name, errors }) => name === 'nothing' && errors.length === 0).length,
    }).toEqual({ seed, sound: 1 })
    const silent = answers.filter(
      ({ errors, doubts, trees }) => errors.length === 0 && (doubts.length > 0 || trees[0] !== tree),
    )
    expect({ seed, silent: silent.map(({ name, doubts }) => ({ name, doubts })) }).toEqual({
      seed,
      silent: [],
    })
  },
)

const run = (folder: string, command: string) =>
  execFileSync('sh', ['-c', command], {
    cwd: folder,
    stdio: 'ignore',
    // Without it programs take names for bytes.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })

others('what other programs make of a bag is valid', { timeout: 600_000 }, async () => {
  using place = scratch()
  const names = ['å ä ö.txt', 'm/tom', 'm/n/b%.bin', 'x'.repeat(80)]
  for (const [name, content] of Object.entries(bagOf(names))) {
    mkdirSync(path.dirname(path.join(place.folder, 'bag', name)), { recursive: true })
    writeFileSync(path.join(place.folder, 'bag', name), content)
  }
  mkdirSync(path.join(place.folder, 'bag/data/tom mapp'))
  const commands = {
    'zip -r': 'zip -r $1 bag',
    'zip without folders': 'zip -rD $1 bag',
    'zip without fields': 'zip -rX0 $1 bag',
    'zip in a stream': 'zip -r - bag > $1',
    'zip with a comment': 'echo x | zip -rz $1 bag',
    'zip of one entry after the other': 'zip -r $1 bag/data && zip -r $1 bag',
    '7z': '7z a $1 bag',
    python: 'python3 -m zipfile -c $1 bag',
    'bsdtar, zip': 'bsdtar --format zip -cf $1 bag',
    'tar of GNU': 'tar --format=gnu -cf $1 bag',
    'tar of POSIX': 'tar --format=posix -cf $1 bag',
    'tar with dots': 'tar -cf $1 ./bag',
    'tar of before POSIX': 'tar --format=v7 -cf $1 bag',
    'tar of star, with attributes': 'bsdtar --format pax -cf $1 bag',
    'tar of ustar': 'bsdtar --format ustar -cf $1 bag',
    'tar of python': 'python3 -m tarfile -c $1 bag',
  }
  const answers = await Promise.all(
    Object.entries(commands).map(async ([name, command], index) => {
      const file = path.join(place.folder, String(index), name.startsWith('tar') ? 'bag.tar' : 'bag.zip')
      mkdirSync(path.dirname(file))
      run(place.folder, command.replaceAll('$1', file))
      const { findings } = await check(file)
      return [name, findings.map(({ level, code, detail }) => `${level} ${code} ${detail}`)] as const
    }),
  )
  // Info-ZIP does not mark names as UTF-8.
  expect(answers).toEqual(
    answers.map(([name]) => [
      name,
      name.startsWith('zip') ? ['warning name-unmarked bag/data/å ä ö.txt'] : [],
    ]),
  )
})

test('the bag of Finder is valid, and what it adds is told', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'bag.zip')
  const finder = (name: string, content: string): ZipEntry => {
    const raw = deflateRawSync(Buffer.from(content))
    const crc = crc32(content)
    const extra = { extra: field(0x7875, Buffer.from([1, 4, 1, 2, 3, 4, 4, 1, 2, 3, 4])) }
    return {
      name,
      content,
      method: 8,
      flags: 8,
      local: { crc: 0, stored: 0, bytes: 0, ...extra },
      central: extra,
      behind: described(crc, raw.length, Buffer.byteLength(content)),
    }
  }
  const entries = Object.entries(bagOf(['a.txt', 'e\u030a'])).map(([name, content]) =>
    finder(`bag/${name}`, content),
  )
  writeFileSync(
    file,
    zipOf([
      { name: 'bag/', flags: 0 },
      ...entries,
      finder('__MACOSX/._bag', 'x'),
      finder('__MACOSX/bag/._data', 'y'),
    ]),
  )
  const { state, findings } = await check(file)
  expect({ state, codes: findings.map(({ code, detail }) => `${code} ${detail}`) }).toEqual({
    state: 'valid',
    codes: ['name-unmarked bag/data/e\u030a', 'mac-folder __MACOSX'],
  })
})

test('what nobody lists is read as well, and its CRC compared', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'bag.zip')
  writeFileSync(
    file,
    withMore({ name: 'bag/notes.txt', content: 'x', local: { crc: 7 }, central: { crc: 7 } }),
  )
  const { findings } = await check(file)
  expect(findings).toMatchObject([{ code: 'entry-damaged', detail: 'bag/notes.txt' }])
})

test('a folder of its own, named like the file', async () => {
  using place = scratch()
  const at = (name: string) => path.join(place.folder, name)
  writeFileSync(at('other.zip'), zipOf(sound()))
  writeFileSync(at('two.zip'), withMore({ name: 'beside/x' }))
  writeFileSync(at('inside.zip'), zipOf(zipEntriesOf(contents, '')))
  writeFileSync(at('inside.tar'), tarOf(tarEntriesOf(contents, './')))
  const codes = async (name: string) =>
    (await check(at(name))).findings.map(({ level, code }) => `${level} ${code}`)
  expect(await codes('other.zip')).toEqual(['warning base-folder-name'])
  expect(await codes('two.zip')).toEqual(['error entry-outside', 'warning base-folder-name'])
  expect(await codes('inside.zip')).toEqual(['error no-base-folder'])
  expect(await codes('inside.tar')).toEqual(['error no-base-folder'])
})

test('a tar that is named as a zip, or the other way round, is not valid', async () => {
  using place = scratch()
  const at = (name: string) => path.join(place.folder, name)
  // A tar of which programs that go by the name unpack the zip at its end.
  const hidden = zipOf([{ name: 'bag/data/evil.txt', content: 'evil' }], { comment: tarEnd() })
  const files = bagContents({ 'data/a.txt': 'a', 'data/z.bin': hidden.subarray(0, hidden.length - 10_240) })
  writeFileSync(at('bag.zip'), tarOf(tarEntriesOf(files)))
  writeFileSync(at('bag.tar'), zipOf(sound()))
  for (const name of ['bag.zip', 'bag.tar'])
    expect((await check(at(name))).findings).toMatchObject([{ level: 'error', code: 'form-name' }])
})

test('one name that is no text is told with its bytes, and the rest is checked', async () => {
  using place = scratch()
  const at = (name: string) => path.join(place.folder, name)
  const bad = Buffer.from('bag/data/caf\xe9', 'latin1')
  const broken = bagContents({ 'data/a.txt': 'a' })
  broken['manifest-sha256.txt'] = broken['manifest-sha256.txt'].replace(/^./, (digit) =>
    digit === '0' ? '1' : '0',
  )
  writeFileSync(at('bag.tar'), tarOf([...tarEntriesOf(broken), { name: bad, content: 'x' }]))
  writeFileSync(at('bag.zip'), zipOf([...zipEntriesOf(broken), { name: bad, content: 'x' }]))
  for (const name of ['bag.tar', 'bag.zip']) {
    const { findings } = await check(at(name))
    expect(findings.map(({ code, detail }) => `${code} ${detail.slice(0, 16)}`)).toEqual(
      expect.arrayContaining(['name-not-text bag/data/caf\\xE9', expect.stringContaining('mismatch')]),
    )
  }
})

test('paths that nobody can unpack take no time', { timeout: 120_000 }, async () => {
  using place = scratch()
  const file = path.join(place.folder, 'bag.zip')
  const deep = Array.from({ length: 200 }, (_, index) => ({
    name: `bag/data/${index}/${'a/'.repeat(20_000)}b`,
  }))
  writeFileSync(file, withMore(...deep))
  const began = performance.now()
  const report = await check(file)
  expect(report).toMatchObject({ state: 'invalid' })
  expect(report.findings.some(({ code }) => code === 'too-deep')).toBe(true)
  expect(performance.now() - began).toBeLessThan(20_000)
})
