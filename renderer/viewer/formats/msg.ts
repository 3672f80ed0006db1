import './node-buffer.ts'
import type Reader from '@kenjiuno/msgreader'
import { contentOf, type Content } from '../content.ts'
import { readCompressedRtf } from './compressed-rtf.ts'
import { idOf, type Letter } from './letter.ts'
import { RtfReader } from './rtf.ts'

type Bytes = Uint8Array<ArrayBuffer>

const personOf = (name: string | undefined, address: string | undefined) =>
  name && address && name !== address && !address.startsWith('/')
    ? `${name} <${address}>`
    : name || (address ?? '')

const dateOf = (date: string | undefined) => {
  const time = new Date(date ?? '')
  return Number.isNaN(time.getTime()) ? (date ?? '') : time.toISOString()
}

/** The encoding that the HTML names; Outlook writes it in that of the computer it ran on. */
const decodeHtml = (html: Uint8Array) => {
  const beginning = new TextDecoder('windows-1252').decode(html.subarray(0, 2048))
  const named = /charset\s*=\s*["']?([\w-]+)/i.exec(beginning)?.[1]
  try {
    return new TextDecoder(named ?? 'utf-8', { fatal: named === undefined }).decode(html)
  } catch {
    return new TextDecoder('windows-1252').decode(html)
  }
}

const typeOf = (name: string) => {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return `image/${ending === 'jpg' ? 'jpeg' : ending}`
}

/** A letter that is written in Rich Text alone: its words, and the document that it is. */
const richTextOf = (bytes: Uint8Array) => {
  const rtf = readCompressedRtf(bytes)
  const { nodes } = new RtfReader().read(rtf)
  const file = contentOf(
    'letter.rtf',
    Uint8Array.from(rtf, (sign) => sign.charCodeAt(0)),
  )
  return { text: nodes.map(({ textContent }) => textContent).join('\n'), file }
}

/** The bundler takes a module of CommonJS as Node does: its default is all that it exports. */
const isWhole = (exported: object): exported is { default: typeof Reader } => 'default' in exported

/**
 * Reads a letter as Outlook keeps it (MS-OXMSG).
 * @param bytes the whole of it
 * @throws Error where it is no such letter
 */
export const readMsg = async (bytes: Bytes): Promise<Letter> => {
  const { default: exported } = await import('@kenjiuno/msgreader')
  const MsgReader = isWhole(exported) ? exported.default : exported
  // A copy of its own: it reads the buffer, wherever a view on it begins.
  const reader = new MsgReader(new Uint8Array(bytes).buffer)
  const fields = reader.getFileData()
  if (fields.error) throw new Error(fields.error)
  const html = fields.bodyHtml ?? (fields.html ? decodeHtml(fields.html) : '')
  const pictures: Letter['pictures'] = new Map()
  const attachments: Content[] = []
  for (const attached of fields.attachments ?? []) {
    const { fileName, content } = reader.getAttachment(attached)
    const name = attached.innerMsgContent ? `${attached.name ?? fileName}.msg` : fileName
    const id = idOf(attached.pidContentId ?? '')
    const copy = new Uint8Array(content)
    if (id !== '' && html.includes(`cid:${id}`)) pictures.set(id, { type: typeOf(name), bytes: copy })
    else attachments.push(contentOf(name, copy))
  }
  const isRichText = !fields.body && html === '' && fields.compressedRtf !== undefined
  const richText = isRichText ? richTextOf(fields.compressedRtf ?? new Uint8Array()) : undefined
  const to = (kind: string) =>
    (fields.recipients ?? [])
      .filter(({ recipType }) => (recipType ?? 'to') === kind)
      .map(({ name, smtpAddress, email }) => personOf(name, smtpAddress ?? email))
      .join(', ')
  return {
    subject: fields.subject ?? '',
    from: personOf(fields.senderName, fields.senderSmtpAddress ?? fields.senderEmail),
    to: to('to'),
    cc: to('cc'),
    bcc: to('bcc'),
    date: dateOf(fields.clientSubmitTime ?? fields.messageDeliveryTime ?? fields.creationTime),
    text: richText?.text ?? fields.body ?? '',
    html,
    attachments: richText ? [...attachments, richText.file] : attachments,
    pictures,
    richText: richText?.file.name ?? '',
  }
}
