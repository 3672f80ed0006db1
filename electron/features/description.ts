import { createRecord, readForm } from '../archive-client/forms.ts'
import { listRecords, readRecord, type HeldRecord } from '../archive-client/records.ts'
import { referringTo } from '../archive-client/references.ts'
import type { StorageMedium } from '../archive-client/storage.ts'
import { checkForm } from '../contract/check-form.ts'
import type { Fulfils } from '../contract/define.ts'
import type { description as promised, RecordLink } from '../contract/description.ts'
import { Failed } from '../contract/failure.ts'
import { listNamed, type ListName } from '../contract/lists.ts'
import type { Package } from '../contract/packages.ts'
import type { Session } from '../session/session.ts'
import type { Cache } from '../store/cache.ts'
import { openRecordRows } from '../store/record-rows.ts'

interface Parts {
  session: Session
  cache: Cache
  now: () => Date
  changed: (list: ListName) => void
}

const freshForMs = 10_000
const mostRelated = 50

/** What is held is given at once; a list that was looked at is then read anew, and its page hears when it has changed. */
export const description = ({ session, cache, now, changed }: Parts): Fulfils<typeof promised> => {
  const { rows, pathTo, referring } = openRecordRows(cache)
  const reading = new Set<string>()
  const here = () => session.account().archive
  const ageMs = (archive: string, list: ListName) => now().getTime() - Date.parse(cache.asOf(`${archive}/description/${list}`) ?? '1970-01-01')

  const refresh = async (archive: string, list: ListName) => {
    const there = session.reached()
    if (there?.account.archive !== archive || reading.has(list)) return
    reading.add(list)
    try {
      cache.hold(archive, `description/${list}`, await listRecords(there.archive, list), now().toISOString())
      changed(list)
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      session.met(error.failure.kind === 'not-allowed' || error.failure.kind === 'not-found' ? null : error.failure)
    } finally {
      reading.delete(list)
    }
  }
  const freshen = (archive: string, list: ListName) => {
    if (ageMs(archive, list) > freshForMs) void refresh(archive, list)
  }

  const titleOf = (archive: string, { list, id }: RecordLink): string | undefined => {
    if (list === 'information-packages') return cache.one<Package>(archive, 'packages', id)?.model.label
    if (list === 'storage-mediums') return cache.one<StorageMedium>(archive, 'media', id)?.model.name
    return cache.one<HeldRecord>(archive, `description/${list}`, id)?.model.title
  }

  return {
    list: (which) => {
      const archive = here()
      freshen(archive, which.list)
      return rows(archive, which)
    },
    one: ({ list, id }) => {
      const archive = here()
      freshen(archive, list)
      const found = cache.one<HeldRecord>(archive, `description/${list}`, id)
      if (!found) throw new Failed({ kind: 'not-found', what: id })
      if (cache.look(archive, `description/${list}`, id)) changed(list)
      const named = found.model.refs.map((ref) => listNamed(ref.replace(/:.*/s, ''))).filter((other) => other !== undefined)
      for (const other of new Set([...referringTo(list), ...named])) freshen(archive, other)
      const { title, note } = found.model
      return {
        ...{ title, note, raw: found.raw, asOf: cache.asOf(`${archive}/description/${list}`) },
        ...readRecord(list, JSON.parse(found.raw), (link) => titleOf(archive, link)),
        path: pathTo(archive, { list, id }).map((above) => ({ id: above.id, title: above.title })),
        related: referring(archive, `${list}:${id}`, mostRelated).flatMap(({ subject, total, ids }) => {
          const from = listNamed(subject.replace(/^description\//, ''))
          const held = ids.flatMap((other) => (from ? (cache.one<HeldRecord>(archive, `description/${from}`, other)?.model ?? []) : []))
          return from ? [{ list: from, total, rows: held.map((it) => ({ id: it.id, title: it.title, note: it.note })) }] : []
        }),
      }
    },
    form: ({ list }) => readForm(session.archive(), list),
    create: async ({ list, values }) => {
      const archive = here()
      const fields = await readForm(session.archive(), list)
      if (!fields) throw new Failed({ kind: 'not-allowed', detail: '' })
      const troubles = checkForm(fields, values)
      if (troubles.size > 0) throw new Failed({ kind: 'refused', fields: Object.fromEntries([...troubles].map(([name, trouble]) => [name, [trouble]])) })
      const id = await createRecord(session.archive(), list, fields, values)
      await refresh(archive, list)
      return { id }
    },
  }
}
