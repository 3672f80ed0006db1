import PostalMime, { decodeWords, type Address, type Attachment, type Email } from 'postal-mime'
import { entryIn } from '../../../electron/common/records.ts'
import { contentOf, type Content } from '../content.ts'

/** A letter, whatever kind of file it lies in. */
export interface Letter {
  subject: string
  from: string
  to: string
  cc: string
  bcc: string
  /** ISO 8601; as it is written where it is no date; empty where there is none. */
  date: string
  text: string
  /** As it was sent: nothing of it is safe. */
  html: string
  attachments: Content[]
  /** Pictures of the HTML, by the ids that it names them by (without brackets). */
  pictures: Map<string, { type: string; bytes: Uint8Array<ArrayBuffer> }>
  /** The attachment that is the letter itself in Rich Text, of which `text` has the words; empty for none. */
  richText?: string
}

/** What a list says of a letter, and what threads are made by. */
export interface LetterHead {
  from: string
  subject: string
  /** Milliseconds since 1970; NaN where there is no date. */
  date: number
  /** Message-ID. */
  id: string
  /** The letters that it answers, the nearest last. */
  answers: string[]
}

const addressOf = (address: Address): string => {
  if (address.group) return `${address.name}: ${address.group.map(addressOf).join(', ')}`
  const { name } = address
  return name !== '' && address.address ? `${name} <${address.address}>` : name || (address.address ?? '')
}
const addressesOf = (addresses: Address[] | undefined) => (addresses ?? []).map(addressOf).join(', ')

/** @param bytes copied where they may lie in memory that is shared */
const bytesOf = (bytes: ArrayBuffer | Uint8Array | string): Uint8Array<ArrayBuffer> => {
  if (typeof bytes === 'string') return new TextEncoder().encode(bytes)
  return bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : new Uint8Array(bytes)
}

/** Endings of parts that were given no name. */
const endings: Record<string, string> = {
  'message/rfc822': 'eml',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/calendar': 'ics',
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
}

/** A part without a name is called by its number, and its type. */
const nameOf = ({ filename, mimeType, description }: Attachment, number: number) => {
  const ending = entryIn(endings, mimeType)
  return filename || `${description ?? number}${ending === undefined ? '' : `.${ending}`}`
}

const isShownInside = ({ related, mimeType, contentId, disposition }: Attachment, html: string) =>
  mimeType.startsWith('image/') &&
  contentId !== undefined &&
  disposition !== 'attachment' &&
  (related === true || html.includes(`cid:${idOf(contentId)}`))

/** An id without its brackets. */
export const idOf = (id: string) => id.trim().replace(/^<|>$/g, '')

/** How deep parts may lie in parts; no program nests them so. */
const deepestParts = 40

/**
 * Reads a letter (RFC 5322, MIME).
 * @param bytes the whole of it
 * @throws Error where it has more parts or heads than any letter
 */
export const readLetter = async (bytes: Uint8Array<ArrayBuffer>): Promise<Letter> => {
  const email: Email = await PostalMime.parse(bytes, {
    forceRfc822Attachments: true,
    maxNestingDepth: deepestParts,
  })
  const html = email.html ?? ''
  const pictures: Letter['pictures'] = new Map()
  const attachments: Content[] = []
  for (const part of email.attachments) {
    const content = bytesOf(part.content)
    if (isShownInside(part, html))
      pictures.set(idOf(part.contentId ?? ''), { type: part.mimeType, bytes: content })
    else attachments.push(contentOf(nameOf(part, attachments.length + 1), content))
  }
  return {
    subject: email.subject ?? '',
    from: email.from ? addressOf(email.from) : '',
    to: addressesOf(email.to),
    cc: addressesOf(email.cc),
    bcc: addressesOf(email.bcc),
    date: email.date ?? '',
    text: email.text ?? '',
    html,
    attachments,
    pictures,
  }
}

/** Made once: a mailbox has a hundred thousand heads. */
const patternOf = (name: string) => new RegExp(`^${name}:[ \\t]*(.*(?:\\r?\\n[ \\t].*)*)`, 'im')
const listedLines = {
  From: patternOf('From'),
  Subject: patternOf('Subject'),
  Date: patternOf('Date'),
  'Message-ID': patternOf('Message-ID'),
  References: patternOf('References'),
  'In-Reply-To': patternOf('In-Reply-To'),
}
type ListedLine = keyof typeof listedLines

/** The value of a line of a head, unfolded; undefined where there is none. */
const lineOf = (head: string, name: ListedLine) =>
  listedLines[name]
    .exec(head)?.[1]
    ?.replace(/\r?\n[ \t]+/g, ' ')
    .trim()

/** A head is in ASCII, in UTF-8, or in what people in Europe wrote before that. */
const decodeHead = (bytes: Uint8Array) => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The name of a person alone, where a line names one. */
const personOf = (line: string) => {
  const named = /^\s*"?([^"<]*?)"?\s*<([^>]*)>/.exec(line)
  return decodeWords(named ? named[1] || (named[2] ?? '') : line)
}

/** A text of its own: a piece of another keeps all of that in memory. */
const kept = (text: string) => new TextDecoder().decode(new TextEncoder().encode(text))

/** Reads what a list says of a letter. @param bytes its head, up to the first empty line */
export const readHead = (bytes: Uint8Array): LetterHead => {
  const head = decodeHead(bytes)
  const ids = `${lineOf(head, 'References') ?? ''} ${lineOf(head, 'In-Reply-To') ?? ''}`
  return {
    from: kept(personOf(lineOf(head, 'From') ?? '')),
    subject: kept(decodeWords(lineOf(head, 'Subject') ?? '')),
    date: Date.parse((lineOf(head, 'Date') ?? '').replace(/\s*\([^)]*\)\s*$/, '')),
    id: kept(idOf(lineOf(head, 'Message-ID') ?? '')),
    answers: (ids.match(/<[^<>\s]+>/g) ?? []).slice(-10).map((id) => kept(idOf(id))),
  }
}
