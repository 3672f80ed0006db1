import * as v from 'valibot'
import type { Contract, Reply } from '../contract/define.ts'
import { Failed, failureOf } from '../contract/failure.ts'
import { archiveId } from '../contract/ids.ts'

const ArchiveId = v.pipe(archiveId, v.minLength(1))

type Handler<Context extends unknown[]> = (...given: [...Context, input: never]) => unknown

/** The handlers of every feature, as main assembles them. */
export type Features<C extends Contract, Context extends unknown[] = []> = {
  [F in keyof C]: Record<string, Handler<Context>>
}

type Issues = readonly v.BaseIssue<unknown>[]

/** Whether nothing is wrong but that no record can have this id: an address is typed, or is cut short. */
const isOfNoRecord = (input: unknown, issues: Issues): boolean =>
  v.is(v.looseObject({ id: v.string() }), input) &&
  issues.every(({ path }) => path?.length === 1 && path[0].key === 'id')

/**
 * Finds a call by its name in the contract and reads its input by the member's schema. A name that the
 * contract does not hold is refused, and so is a news.
 * @throws Failed not-found where somebody asks for a record by an id that none can have
 */
const readCall = <Context extends unknown[]>(
  contract: Contract,
  features: Record<string, Record<string, Handler<Context>>>,
  called: string,
  input: unknown,
) => {
  const [feature = '', member = ''] = called.split('.', 2)
  const promised =
    Object.hasOwn(contract, feature) && Object.hasOwn(contract[feature] ?? {}, member)
      ? contract[feature]?.[member]
      : undefined
  const handler = Object.hasOwn(features[feature] ?? {}, member) ? features[feature]?.[member] : undefined
  if (!promised || promised.kind === 'news' || !handler)
    throw new Error(`There is no call ${called.slice(0, 100)}.`)
  const read = v.safeParse(promised.input, input)
  if (!read.success && promised.kind === 'query' && isOfNoRecord(input, read.issues))
    throw new Failed({ kind: 'not-found', what: '' })
  if (!read.success) throw new Error(`${called}: ${v.summarize(read.issues)}`)
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- this member's schema has just read it
  return (...context: Context) => handler(...context, read.output as never)
}

const replyOf = async (
  name: unknown,
  work: (called: string) => unknown,
  reportBug: (error: unknown, name: string) => string,
): Promise<Reply<unknown>> => {
  const called = String(name)
  try {
    return { value: await work(called) }
  } catch (error) {
    return { failure: failureOf(error, (unexpected) => reportBug(unexpected, called)) }
  }
}

/**
 * Answers a call by its name in the contract; whatever goes wrong becomes a failure as a value.
 * @param reportBug writes an unexpected error to the log and gives the reference a person can quote
 */
export const answering =
  <C extends Contract>(
    contract: C,
    features: Features<C>,
    reportBug: (error: unknown, name: string) => string,
  ) =>
  (name: unknown, input: unknown): Promise<Reply<unknown>> =>
    replyOf(name, (called) => readCall<[]>(contract, features, called, input)(), reportBug)

/**
 * The same for the calls that concern one archive.
 * @param archiveOf the archive of an id; throws Failed where nobody is signed in to such a one
 */
export const answeringOf =
  <C extends Contract, Archive>(
    contract: C,
    features: Features<C, [Archive]>,
    archiveOf: (id: string) => Archive,
    reportBug: (error: unknown, name: string) => string,
  ) =>
  (archive: unknown, name: unknown, input: unknown): Promise<Reply<unknown>> =>
    replyOf(
      name,
      (called) => {
        const call = readCall<[Archive]>(contract, features, called, input)
        return call(archiveOf(v.parse(ArchiveId, archive)))
      },
      reportBug,
    )
