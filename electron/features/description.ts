import { createRecord, listRecords, readable, readForm } from '../archive-client/description.ts'
import type { Fulfils } from '../contract/define.ts'
import type { description as promised, DescriptionRow, DescriptionSubject } from '../contract/description.ts'
import { Failed } from '../contract/failure.ts'
import type { Session } from '../session/session.ts'
import type { Cache } from '../store/cache.ts'

interface Parts {
  session: Session
  cache: Cache
  now: () => Date
  changed: (subject: DescriptionSubject) => void
}

const freshForMs = 10_000

/** What is held is given at once; a list that was looked at is then read anew, and its page hears when it has changed. */
export const description = ({ session, cache, now, changed }: Parts): Fulfils<typeof promised> => {
  const reading = new Set<string>()
  const isFresh = (archive: string, subject: DescriptionSubject) => now().getTime() - Date.parse(cache.asOf(`${archive}/description/${subject}`) ?? '1970-01-01') < freshForMs

  const refresh = async (archive: string, subject: DescriptionSubject) => {
    const there = session.reached()
    if (!there || reading.has(subject)) return
    reading.add(subject)
    try {
      cache.hold(archive, `description/${subject}`, await listRecords(there.archive, subject), now().toISOString())
      changed(subject)
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      session.met(error.failure.kind === 'not-allowed' || error.failure.kind === 'not-found' ? null : error.failure)
    } finally {
      reading.delete(subject)
    }
  }

  return {
    list: ({ subject }) => {
      const { archive } = session.account()
      if (!isFresh(archive, subject)) void refresh(archive, subject)
      return { rows: cache.all<DescriptionRow>(archive, `description/${subject}`), asOf: cache.asOf(`${archive}/description/${subject}`) }
    },
    one: ({ subject, id }) => {
      const { archive } = session.account()
      const found = cache.one<DescriptionRow>(archive, `description/${subject}`, id)
      if (!found) throw new Failed({ kind: 'not-found', what: id })
      const fields = Object.entries(JSON.parse(found.raw) as object).map(([name, value]) => ({ name, value: readable(value) }))
      return { title: found.model.title, fields, raw: found.raw, asOf: cache.asOf(`${archive}/description/${subject}`) }
    },
    form: ({ subject }) => readForm(session.archive(), subject),
    create: async ({ subject, values }) => {
      const fields = await readForm(session.archive(), subject)
      if (!fields) throw new Failed({ kind: 'not-allowed', detail: '' })
      const id = await createRecord(session.archive(), subject, fields, values)
      await refresh(session.account().archive, subject)
      return { id }
    },
  }
}
