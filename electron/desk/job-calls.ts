import type { Archive } from '../archives/archive.ts'
import { Failed } from '../contract/failure.ts'
import type { JobKind } from '../contract/jobs.ts'

/** Whether a job is of a kind and of an archive; one that was taken off its list still is. */
export type IsJobOf = (id: string, kind: JobKind, archive: string) => boolean

const idIn = (input: unknown): unknown =>
  typeof input === 'object' && input !== null ? Reflect.get(input, 'id') : undefined

/**
 * The calls of a feature whose inputs name a job by `id`: each finds only a job of that kind that belongs to
 * the archive which the call names.
 * @throws Failed not-found, from each call whose job is none of these
 */
export const ofItsArchive = <Calls extends Record<string, (archive: Archive, input: never) => unknown>>(
  kind: JobKind,
  isJobOf: IsJobOf,
  calls: Calls,
): Calls => {
  const checked = Object.entries(calls).map(([name, call]) => [
    name,
    (archive: Archive, input: never) => {
      const id = idIn(input)
      if (typeof id === 'string' && !isJobOf(id, kind, archive.id))
        throw new Failed({ kind: 'not-found', what: id })
      return call(archive, input)
    },
  ])
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the same calls by the same names
  return Object.fromEntries(checked) as Calls
}
