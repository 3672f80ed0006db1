import { Buffer } from 'buffer'
import './node-buffer.ts'
import type { PSTAttachment, PSTFile, PSTFolder, PSTMessage } from 'pst-extractor'
import { contentOf, type Content } from '../content.ts'
import type { ListedLetter } from '../parts/letter-list.ts'
import { idOf, type Letter } from './letter.ts'

/** A folder of letters in a mailbox of Outlook. */
export interface OutlookFolder {
  name: string
  depth: number
  letters: number
  /** The places of its parents and itself among their siblings. */
  path: number[]
}

const blockBytes = 64 * 1024
/** Blocks that are kept: 64 MiB. */
const mostBlocks = 1024
const mostFolders = 5_000
const deepestFolders = 30
/** Parts that one question may need, one after the other. */
const mostRounds = 20_000
const mostAttachmentBytes = 256 * 1024 * 1024

/** What is read is not there yet; it is fetched, and the question asked again. */
class NotRead extends Error {}

/**
 * Reads a file by parts for a library that expects all of it at once: what is not there yet ends a question,
 * which is asked anew then.
 */
const byParts = (content: Content) => {
  const blocks = new Map<number, Uint8Array>()
  const missing = new Set<number>()
  const copy = (target: Uint8Array, at: number, from: number, to: number) => {
    const end = Math.min(to, content.bytes)
    for (let place = from; place < end;) {
      const number = Math.floor(place / blockBytes)
      const block = blocks.get(number)
      if (!block) {
        missing.add(number)
        throw new NotRead()
      }
      const piece = block.subarray(place - number * blockBytes, end - number * blockBytes)
      target.set(piece, at + place - from)
      place += piece.length
    }
    return Math.max(0, end - from)
  }
  /** What it asks is asked again from its beginning, and must leave nothing behind. */
  const ask = async <Answer>(question: () => Answer): Promise<Answer> => {
    for (let round = 0; round < mostRounds; round += 1) {
      missing.clear()
      let failure: unknown
      try {
        const answer = question()
        // What the library takes for damage may only not have been read.
        if (missing.size === 0) return answer
      } catch (error) {
        failure = error
      }
      if (missing.size === 0) throw failure
      for (const number of missing)
        blocks.set(number, await content.read(number * blockBytes, (number + 1) * blockBytes))
      if (blocks.size > mostBlocks) blocks.delete([...blocks.keys()][0] ?? 0)
    }
    throw new Error('One question needs too much of the file.')
  }
  return { bytes: Object.assign(Buffer.alloc(0), { copy }), ask }
}
type Asking = ReturnType<typeof byParts>['ask']

const bytesOf = (attachment: PSTAttachment) => {
  const stream = attachment.fileInputStream
  const length = stream ? Math.min(mostAttachmentBytes, stream.length.toNumber()) : 0
  const bytes = Buffer.alloc(length)
  stream?.readCompletely(bytes)
  return new Uint8Array(bytes)
}

const personOf = (name: string, address: string) =>
  name !== '' && address.includes('@') && name !== address ? `${name} <${address}>` : name || address

const dateOf = (message: PSTMessage) => message.clientSubmitTime ?? message.messageDeliveryTime

/** A letter in a letter has no file: it is written as one. */
const asFile = (message: PSTMessage): Content => {
  const html = message.bodyHTML
  const head = [
    `From: ${personOf(message.senderName, message.senderEmailAddress)}`,
    `To: ${message.displayTo}`,
    `Subject: ${message.subject}`,
    `Date: ${dateOf(message)?.toUTCString() ?? ''}`,
    `Content-Type: text/${html ? 'html' : 'plain'}; charset=utf-8`,
  ].map((line) => line.replace(/[\r\n]+/g, ' '))
  const text = `${head.join('\r\n')}\r\n\r\n${html || message.body}`
  return contentOf(`${message.subject || 'letter'}.eml`, new TextEncoder().encode(text))
}

const attachmentsOf = (message: PSTMessage, ask: Asking) => {
  const html = message.bodyHTML
  const pictures: Letter['pictures'] = new Map()
  const attachments: Content[] = []
  for (let number = 0; number < message.numberOfAttachments; number += 1) {
    const attachment = message.getAttachment(number)
    const name = attachment.longFilename || attachment.filename || String(number + 1)
    const inside = attachment.embeddedPSTMessage
    const id = idOf(attachment.contentId)
    if (inside) attachments.push(asFile(inside))
    else if (id !== '' && html.includes(`cid:${id}`))
      pictures.set(id, { type: attachment.mimeTag, bytes: bytesOf(attachment) })
    else {
      let whole: Promise<Uint8Array<ArrayBuffer>> | undefined
      const read = () => (whole ??= ask(() => bytesOf(message.getAttachment(number))))
      const bytes = Math.max(0, attachment.fileInputStream?.length.toNumber() ?? 0)
      attachments.push({ name, bytes, read: async (from, to) => (await read()).subarray(from, to) })
    }
  }
  return { attachments, pictures }
}

const letterOf = (message: PSTMessage, ask: Asking): Letter => ({
  subject: message.subject,
  from: personOf(message.senderName, message.senderEmailAddress),
  to: message.displayTo,
  cc: message.displayCC,
  bcc: message.displayBCC,
  date: dateOf(message)?.toISOString() ?? '',
  text: message.body,
  html: message.bodyHTML,
  ...attachmentsOf(message, ask),
})

/** What Outlook keeps in one file (MS-PST). */
export interface Outlook {
  folders: OutlookFolder[]
  /** The letters of a folder, from one up to another. */
  rows: (folder: OutlookFolder, from: number, to: number) => Promise<ListedLetter[]>
  letter: (folder: OutlookFolder, row: number) => Promise<Letter>
  /** What a letter says, of a long one the beginning; nothing of one that cannot be read. */
  words: (folder: OutlookFolder, row: number) => Promise<string>
}

const mostWords = 1_000_000

const walk = async (file: PSTFile, ask: Asking) => {
  const folderAt = (path: number[]): PSTFolder | undefined =>
    path.reduce<PSTFolder | undefined>(
      (parent, place) => parent?.getSubFolders()[place],
      file.getRootFolder(),
    )
  const folders: OutlookFolder[] = []
  const below = async (path: number[]): Promise<void> => {
    const found = await ask(() =>
      (folderAt(path)?.getSubFolders() ?? []).map(({ displayName, contentCount }) => ({
        name: displayName,
        letters: Math.max(0, contentCount),
      })),
    )
    for (const [place, { name, letters }] of found.entries()) {
      if (folders.length >= mostFolders || path.length >= deepestFolders) return
      const inside = [...path, place]
      folders.push({ name, letters, depth: path.length, path: inside })
      await below(inside).catch(() => undefined)
    }
  }
  await below([])
  return { folders, folderAt }
}

/** Opens what Outlook keeps in one file, by parts. @throws Error where it is damaged or encrypted */
export const openOutlook = async (content: Content): Promise<Outlook> => {
  const { PSTFile: File, PSTMessage: Message } = await import('pst-extractor')
  const { bytes, ask } = byParts(content)
  const file = await ask(() => new File(bytes))
  const { folders, folderAt } = await walk(file, ask)
  const open = new Map<OutlookFolder, Promise<PSTFolder | undefined>>()
  const opened = (folder: OutlookFolder) => {
    const known = open.get(folder)
    if (known) return known
    const made = ask(() => {
      const found = folderAt(folder.path)
      found?.moveChildCursorTo(0)
      return found
    })
    open.set(folder, made)
    return made
  }
  const messageIn = (folder: PSTFolder | undefined, row: number) => {
    folder?.moveChildCursorTo(row)
    const message: unknown = folder?.getNextChild()
    if (!(message instanceof Message)) throw new Error('There is no such letter.')
    return message
  }
  return {
    folders,
    rows: async (folder, from, to) => {
      const found = await opened(folder)
      const rows: ListedLetter[] = []
      for (let row = from; row < Math.min(to, folder.letters); row += 1)
        rows.push(
          await ask(() => {
            const message = messageIn(found, row)
            const date = dateOf(message)?.getTime() ?? NaN
            return { date, from: message.senderName, subject: message.subject }
          }).catch(() => ({ date: NaN, from: '', subject: '' })),
        )
      return rows
    },
    letter: async (folder, row) => {
      const found = await opened(folder)
      return ask(() => letterOf(messageIn(found, row), ask))
    },
    words: async (folder, row) => {
      const found = await opened(folder)
      const words = ask(() => {
        const { body, bodyHTML } = messageIn(found, row)
        return body ? body.slice(0, mostWords) : bodyHTML.slice(0, mostWords).replace(/<[^<>]*>/g, ' ')
      })
      return words.catch(() => '')
    },
  }
}
