import { subjectsTogether, type Subject } from '../archive-client/held-lists.ts'
import type { Access } from '../archive-client/http.ts'
import type { Failure } from '../contract/failure.ts'
import type { ListName } from '../contract/lists.ts'
import type { Thread } from './thread.ts'

interface Parts {
  thread: Pick<Thread, 'read'>
  reached: () => { account: { archive: string }; access: Access } | undefined
  language: () => string
  now: () => Date
  began: (archive: string) => void
  /** The lists are complete (null) or could not be had; those held before stay as they were. */
  ended: (archive: string, failure: Failure | null) => void
  /** What the talk about a single list showed. */
  met: (failure: Failure | null, archive: string, tookMs: number) => void
}

/**
 * Keeps the local copy fresh. `whole` reads all lists that the desk works with; asked for while one runs, it is the same one.
 * `glance` reads the notifications alone, and everything only where there are new ones. `list` reads one list of description.
 */
export const openRefresh = ({ thread, reached, language, now, began, ended, met }: Parts) => {
  const running = new Map<string, Promise<void>>()
  const once = (name: string, work: () => Promise<void>) => {
    const under = running.get(name) ?? work().finally(() => running.delete(name))
    running.set(name, under)
    return under
  }
  const read = (there: { account: { archive: string }; access: Access }, subjects: Subject[]) =>
    thread.read({ archive: there.account.archive, access: there.access, language: language(), subjects, isAll: subjects === subjectsTogether })

  const whole = async () => {
    const there = reached()
    if (!there) return
    const { archive } = there.account
    await once(`all of ${archive}`, async () => {
      began(archive)
      const { failure } = await read(there, subjectsTogether)
      ended(archive, failure)
    })
  }

  const glance = async () => {
    const there = reached()
    if (!there || running.has(`all of ${there.account.archive}`)) return
    const began = now().getTime()
    const { changed, failure } = await read(there, ['notifications'])
    if (changed.length > 0 || failure !== null) await whole()
    else met(null, there.account.archive, now().getTime() - began)
  }

  const list = (archive: string, name: ListName): Promise<void> => {
    const there = reached()
    if (there?.account.archive !== archive) return Promise.resolve()
    return once(`${archive}/${name}`, async () => {
      const { failure } = await read(there, [`description/${name}`])
      if (failure !== null) met(failure, archive, 0)
    })
  }

  return { whole, glance, list }
}
