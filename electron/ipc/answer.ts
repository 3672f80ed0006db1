import * as v from 'valibot'
import type { Contract, Reply } from '../contract/define.ts'
import { failureOf } from '../contract/failure.ts'

type Handler = (input: never) => unknown

/** The handlers of every feature, as main assembles them. */
export type Features<C extends Contract> = { [F in keyof C]: Record<string, Handler> }

/**
 * Answers a call by its name in the contract: the input is read by the member's schema first, and whatever goes wrong becomes a
 * failure as a value. A name that the contract does not hold is refused, and so is a news.
 * @param bug writes an unexpected error to the log and gives the reference a person can quote
 */
export const answering =
  <C extends Contract>(contract: C, features: Features<C>, bug: (error: unknown, name: string) => string) =>
  async (name: unknown, input: unknown): Promise<Reply<unknown>> => {
    const called = String(name)
    try {
      const [feature = '', member = ''] = called.split('.', 2)
      const promised =
        Object.hasOwn(contract, feature) && Object.hasOwn(contract[feature] ?? {}, member)
          ? contract[feature]?.[member]
          : undefined
      const handler = Object.hasOwn(features[feature] ?? {}, member) ? features[feature]?.[member] : undefined
      if (!promised || promised.kind === 'news' || !handler)
        throw new Error(`There is no call ${called.slice(0, 100)}.`)
      const read = v.safeParse(promised.input, input)
      if (!read.success) throw new Error(`${called}: ${v.summarize(read.issues)}`)
      // The schema of this very member has just read the input.
      return { value: await handler(read.output as never) }
    } catch (error) {
      return { failure: failureOf(error, (unexpected) => bug(unexpected, called)) }
    }
  }
