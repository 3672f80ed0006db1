import { Readable } from 'node:stream'
import { badAnswer, readErrorBody, splitFailure, type Source } from './answers.ts'
import { longMs, type Exchange } from './exchange.ts'
import { countOf, nextPage } from './headers.ts'
import type { Conventions } from './conventions.ts'
import { readElements, SplitError, type ElementReader } from './split-array.ts'
import type { Page } from './whole-list.ts'
import { isRecord } from '../common/records.ts'

interface Parts {
  exchange: Pick<Exchange, 'open' | 'answer'>
  conventions: Pick<Conventions, 'envelope' | 'countHeader'>
  /** Where the paths of the archive begin. */
  base: string
}

/** A page that is held may have so many bytes at most. */
const longestHeld = 32 * 1024 * 1024
/** A page of a long list is waited for longer than other answers. */
const pageAnswerMs = 60_000

/** A body that has arrived whole. */
const heldOf = async (body: AsyncIterable<Buffer>, source: Source): Promise<AsyncIterable<Buffer>> => {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body) {
    parts.push(part)
    length += part.length
    if (length > longestHeld) throw badAnswer(source, 'too-long', parts[0]?.toString('utf8', 0, 600) ?? '')
  }
  return Readable.from(parts)
}

export type OpenPage = (address: string, isHeld?: boolean) => Promise<Page>

/**
 * Opens pages of lists, in the form in which the archive gives them; one that is held has arrived whole
 * before it is read.
 */
export const pageOpener = ({ exchange, conventions, base }: Parts): OpenPage => {
  /**
   * Another page of this archive; credentials go nowhere else. One behind a proxy may name its pages by the
   * scheme and host that it has itself: they are asked for where the list was.
   */
  const pageWithin = (link: string, address: string): Pick<Page, 'next' | 'isCut'> => {
    const named = URL.parse(link, address)
    const next = new URL(base)
    next.pathname = named?.pathname ?? ''
    next.search = named?.search ?? ''
    return next.href.startsWith(base) ? { next: next.href } : { next: null, isCut: true }
  }

  /** One page of a list that stands in an object, read whole. */
  const openEnvelope = async (address: string, names: { records: string; next: string }): Promise<Page> => {
    const { body, headers } = await exchange.answer('GET', address)
    const { [names.records]: records, [names.next]: next } = isRecord(body) ? body : {}
    if (!Array.isArray(records))
      throw badAnswer({ address, status: 200 }, 'unexpected', JSON.stringify(body ?? ''))
    return {
      read: (reader) => {
        for (const record of records) reader.take(Buffer.from(JSON.stringify(record)))
        return Promise.resolve()
      },
      count: countOf(headers[conventions.countHeader]),
      ...(typeof next === 'string' ? pageWithin(next, address) : { next: null }),
    }
  }

  /** One page of a list that is an array, its elements as they arrive. */
  const openArray: OpenPage = async (address, isHeld = false) => {
    const { type, headers, body, source, turnDown } = await exchange.open('GET', address, {
      patienceMs: longMs,
      ...(isHeld ? { answerMs: pageAnswerMs } : {}),
    })
    const link = nextPage(headers['link'])
    const next = link === undefined ? null : URL.parse(link, address)
    if (link !== undefined && next === null)
      throw await turnDown(badAnswer(source, 'unexpected', `Link: ${String(headers['link'])}`))
    const arriving = isHeld ? await heldOf(body, source) : body
    const read = async (reader: ElementReader) => {
      try {
        if (/html/i.test(type)) throw badAnswer(source, 'html', (await readErrorBody(arriving)).text)
        await readElements(arriving, reader)
      } catch (error) {
        throw error instanceof SplitError ? splitFailure(error, source) : error
      }
    }
    return {
      read,
      count: countOf(headers[conventions.countHeader]),
      ...(next === null ? { next } : pageWithin(next.href, address)),
    }
  }

  const { envelope } = conventions
  return envelope === null ? openArray : (address) => openEnvelope(address, envelope)
}
