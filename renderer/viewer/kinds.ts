import type { Beginning, Kind } from './kind.ts'

const begins = ({ text }: Beginning, ...signatures: string[]) =>
  signatures.some((signature) => text.startsWith(signature))
const isNamed = ({ extension }: Beginning, ...extensions: string[]) => extensions.includes(extension)

/** Pictures that Chromium decodes itself. */
const isPicture = (beginning: Beginning) =>
  begins(beginning, '\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a', 'BM') ||
  (begins(beginning, 'RIFF') && beginning.text.startsWith('WEBP', 8)) ||
  /^.{4}ftypavi[fs]/s.test(beginning.text)

/** A mailbox begins with a line of its own, which a letter does not. */
const isMailbox = ({ text }: Beginning) => /^From [^\r\n]*\d\d:\d\d[^\r\n]*\r?\n[!-9;-~]+:/.test(text)
const isLetter = ({ text }: Beginning) =>
  /^(?:[!-9;-~]+:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n)*?from:/i.test(text) &&
  /^(date|received|message-id|mime-version):/im.test(text)
const isCompound = (beginning: Beginning) => begins(beginning, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')
const isSiard = (beginning: Beginning) =>
  begins(beginning, 'PK\x03\x04') &&
  (isNamed(beginning, 'siard') || /^(header|content)\//.test(beginning.text.slice(30, 45)))

const isText = ({ bytes }: Beginning) => !bytes.includes(0)

/**
 * Every kind of file that is drawn; the first that a file matches draws it, and the last one anything. A new
 * kind is one entry, a file in `kinds/`, and its name in the dictionary (`language/viewer.en.ts`).
 */
export const kinds: readonly Kind[] = [
  { name: 'pdf', matches: (file) => begins(file, '%PDF-'), load: () => import('./kinds/pdf.ts') },
  { name: 'picture', matches: isPicture, load: () => import('./kinds/picture.ts') },
  { name: 'drawing', matches: (file) => isNamed(file, 'svg'), load: () => import('./kinds/drawing.ts') },
  {
    name: 'delimited',
    matches: (file) => isNamed(file, 'csv', 'tsv', 'tab') && !begins(file, 'PK'),
    load: () => import('./kinds/delimited.ts'),
  },
  { name: 'mailbox', matches: isMailbox, load: () => import('./kinds/mailbox.ts') },
  {
    name: 'letter',
    matches: (file) => isLetter(file) || (isNamed(file, 'msg') && isCompound(file)),
    load: () => import('./kinds/letter.ts'),
  },
  {
    name: 'outlook',
    matches: (file) => begins(file, '!BDN'),
    load: () => import('./kinds/outlook.ts'),
  },
  { name: 'siard', matches: isSiard, load: () => import('./kinds/siard.ts') },
  {
    name: 'sqlite',
    matches: (file) => begins(file, 'SQLite format 3\0'),
    load: () => import('./kinds/sqlite.ts'),
  },
  { name: 'text', matches: isText, load: () => import('./kinds/text.ts') },
  { name: 'other', matches: () => true, load: () => import('./kinds/other.ts') },
]
