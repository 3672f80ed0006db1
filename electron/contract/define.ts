import type * as v from 'valibot'
import type { Failure } from './failure.ts'

type Schema<I> = v.GenericSchema<unknown, I>

/** A question: it changes nothing and may be repeated. */
export interface Query<I, O> {
  kind: 'query'
  input: Schema<I>
  answer?: O
}

/** An order: it changes something and is given once. */
export interface Command<I, O> {
  kind: 'command'
  input: Schema<I>
  answer?: O
}

/** Something main tells every window without being asked. */
export interface News<P> {
  kind: 'news'
  payload?: P
}

// The pages of the contract hold members of every shape; `never` and `unknown` would refuse them here.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyMember = Query<any, any> | Command<any, any> | News<any>
export type Feature = Record<string, AnyMember>
export type Contract = Record<string, Feature>

/** Promises a question, which changes nothing: its input by a schema, and its answer by a type alone. */
export const query = <I>(input: Schema<I>) => ({ returns: <O>(): Query<I, O> => ({ kind: 'query', input }) })
/** Promises a call that changes something, in the same way. */
export const command = <I>(input: Schema<I>) => ({
  returns: <O>(): Command<I, O> => ({ kind: 'command', input }),
})
/** Promises what main says of itself; nobody asks for it, so that it has no input. */
export const news = <P>(): News<P> => ({ kind: 'news' })

/**
 * What crosses between the halves: a value, or a failure as a value, since Electron keeps only the message of
 * an error.
 */
export type Reply<O> = { value: O } | { failure: Failure }

type Callable<I, R> = undefined extends I ? (input?: I) => R : (input: I) => R

/**
 * What main must provide for a feature: every query and command of it, nothing else.
 * @template Context what a handler is given before its input: the archive, where the feature is one of an
 * archive
 */
export type Fulfils<F extends Feature, Context extends unknown[] = []> = {
  [M in keyof F as F[M] extends News<unknown> ? never : M]: F[M] extends
    Query<infer I, infer O> | Command<infer I, infer O>
    ? (...given: [...Context, input: I]) => O | Promise<O>
    : never
}

/**
 * What the preload puts before the page: calls that give replies, and news that can be listened to and left
 * again.
 */
export type Bridge<C extends Contract> = {
  [F in keyof C]: {
    [M in keyof C[F]]: C[F][M] extends News<infer P>
      ? (listener: (payload: P) => void) => () => void
      : C[F][M] extends Query<infer I, infer O> | Command<infer I, infer O>
        ? Callable<I, Promise<Reply<O>>>
        : never
  }
}

/** The same for what concerns one archive: every call names it first, and all news say whose they are. */
export type ArchiveBridge<C extends Contract> = {
  [F in keyof C]: {
    [M in keyof C[F]]: C[F][M] extends News<infer P>
      ? (listener: (payload: P, archive: string) => void) => () => void
      : C[F][M] extends Query<infer I, infer O> | Command<infer I, infer O>
        ? undefined extends I
          ? (archive: string, input?: I) => Promise<Reply<O>>
          : (archive: string, input: I) => Promise<Reply<O>>
        : never
  }
}

/** What the page calls: as the bridge, with failures thrown. */
export type Promised<C extends Contract> = {
  [F in keyof C]: {
    [M in keyof C[F]]: C[F][M] extends News<infer P>
      ? (listener: (payload: P) => void) => () => void
      : C[F][M] extends Query<infer I, infer O> | Command<infer I, infer O>
        ? Callable<I, Promise<O>>
        : never
  }
}

/** The name of every news of a contract, with what it carries. */
export type NewsOf<C extends Contract> = {
  [F in keyof C & string]: {
    [M in keyof C[F] & string as C[F][M] extends News<unknown> ? `${F}.${M}` : never]: C[F][M] extends News<
      infer P
    >
      ? P
      : never
  }
}[keyof C & string]

/** Builds an object of the contract's form by asking `make` for each member. */
export const eachMember = (
  contract: Contract,
  make: (name: string, member: AnyMember) => unknown,
): Record<string, Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(contract).map(([feature, members]) => [
      feature,
      Object.fromEntries(
        Object.entries(members).map(([name, member]) => [name, make(`${feature}.${name}`, member)]),
      ),
    ]),
  )
