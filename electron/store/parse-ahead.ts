import { openRequestThread } from '../common/request-thread.ts'
import { SplitError, type ElementReader, type GoingOn } from '../archive-client/split-array.ts'
import type { Subject } from '../contract/subjects.ts'

/** What the thread is started with: the list that is read, and by which definition. */
export interface ParsedList {
  /** The dialect, by its name. */
  dialect: string
  subject: Subject
  /** The position of the next element in the list. */
  position: number
  /** Where that begins, as far as it came. */
  rest: Uint8Array
}
/** The next part of the list; null at its end. */
export type PartToParse = Uint8Array | null

/** The elements that a part completed. */
export interface ParsedPart {
  /** Their texts, one after another. */
  bytes: Uint8Array
  lengths: Uint32Array
  digests: string[]
  /** Of each the model of its one record, or null where there is more or less to say of it; a JSON array. */
  models: string
  /** Why it is no array from there on. */
  trouble: { kind: SplitError['trouble']; found: Uint8Array } | null
}

/** What is known of an element before it is taken. */
export interface ParsedElement {
  digest: string
  model: { id: string | number; refs?: string[]; parent?: string | null }
}

/** Parts go on together while others are under way. */
const sentBytes = 256 * 1024
const mostUnderWay = 8

/** Gives the elements of a part. @param note is told before each what is known of it, if anything is */
const giveElements = (
  { bytes, lengths, digests, models, trouble }: ParsedPart,
  note: (parsed: ParsedElement | undefined) => void,
  take: ElementReader['take'],
) => {
  const texts = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- serve-parsing.ts wrote it
  const known = JSON.parse(models) as (ParsedElement['model'] | null)[]
  let from = 0
  lengths.forEach((length, index) => {
    const model = known[index]
    note(model ? { digest: digests[index] ?? '', model } : undefined)
    take(texts.subarray(from, from + length))
    from += length
  })
  if (trouble) throw new SplitError(trouble.kind, Buffer.from(trouble.found))
}

/** Sends parts to the thread, and sees to what comes back while more are on their way. */
const openQueue = (
  ask: (part: PartToParse) => Promise<unknown>,
  give: (parsed: ParsedPart) => void,
): GoingOn => {
  const underWay = new Set<Promise<void>>()
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let failure: { why: unknown } | undefined

  const see = async (answer: Promise<unknown>) => {
    try {
      const parsed = await answer
      // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- serve-parsing.ts answers so
      if (!failure) give(parsed as ParsedPart)
    } catch (why) {
      failure ??= { why }
    }
  }
  const send = (part: PartToParse) => {
    const seen: Promise<void> = see(ask(part)).finally(() => underWay.delete(seen))
    underWay.add(seen)
  }
  const sendWaiting = () => {
    if (waitingBytes > 0) send(Buffer.concat(waiting))
    ;[waiting, waitingBytes] = [[], 0]
  }
  const emptied = () => Promise.all(underWay)
  const check = () => {
    if (failure) throw failure.why
  }
  return {
    take: async (part) => {
      waiting.push(part)
      waitingBytes += part.length
      if (underWay.size === 0 || waitingBytes >= sentBytes) sendWaiting()
      if (underWay.size >= mostUnderWay) await Promise.race(underWay)
      check()
    },
    end: async () => {
      sendWaiting()
      send(null)
      await emptied()
      check()
    },
    close: async () => {
      failure ??= { why: undefined }
      await emptied()
    },
  }
}

/**
 * A thread that cuts a long list into its elements, digests and reads them, while the one that writes the
 * local copy writes those before. It is there while it is needed, for one list at a time: others go on
 * without it.
 */
export const openParser = (script: URL) => {
  let isBusy = false
  return {
    /** Goes on with a list; undefined while another one is parsed. @param note see `giveElements` */
    goOn: (
      list: ParsedList,
      note: (parsed: ParsedElement | undefined) => void,
      take: ElementReader['take'],
    ): GoingOn | undefined => {
      if (isBusy) return undefined
      isBusy = true
      const thread = openRequestThread<PartToParse>({
        task: 'parses lists',
        script,
        workerData: list,
        resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 },
      })
      const queue = openQueue(thread.request, (parsed) => giveElements(parsed, note, take))
      const close = async () => {
        // Whoever waits for an answer is told, so that nothing is under way any more.
        await thread.terminate()
        await queue.close()
        isBusy = false
      }
      return { ...queue, close }
    },
  }
}

export type Parser = ReturnType<typeof openParser>
