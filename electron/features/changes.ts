import type { Archive } from '../archives/archive.ts'
import { changeOf, differencesIn, isChangeable, readNow, valuesOf } from '../archive-client/changes.ts'
import { checkForm } from '../contract/check-form.ts'
import type { changes as promised } from '../contract/changes.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import type { Fulfils } from '../contract/define.ts'
import type { FormField } from '../contract/description.ts'
import { Failed } from '../contract/failure.ts'
import type { ListName } from '../contract/lists.ts'
import type { Journal } from '../store/journal.ts'

interface Parts {
  able: (archive: string) => Capabilities | null
  /** The fields of a form for a list, as the archive describes them. */
  formOf: (archive: Archive, list: ListName) => Promise<FormField[] | null>
  refresh: (archive: string, list: ListName) => Promise<void>
  journal: Journal
}

/** Changing a record in an archive that lets one: always of the record as it is now, never over what somebody else wrote meanwhile. */
export const changes = ({ able, formOf, refresh, journal }: Parts): Fulfils<typeof promised, [Archive]> => {
  const fieldsOf = async (archive: Archive, list: ListName) => {
    const may = able(archive.id)?.lists.find((it) => it.list === list)?.isChangeable ?? false
    const fields = may ? await formOf(archive, list) : null
    if (!fields) throw new Failed({ kind: 'not-allowed', detail: '' })
    return fields.filter(isChangeable)
  }
  return {
    open: async (archive, { list, id }) => {
      const fields = await fieldsOf(archive, list)
      return { fields, values: valuesOf(fields, await readNow(archive.reach(), list, id)) }
    },
    save: async (archive, { list, id, seen, values }) => {
      const there = archive.reach()
      const fields = await fieldsOf(archive, list)
      const troubles = checkForm(fields, values)
      if (troubles.size > 0)
        throw new Failed({
          kind: 'refused',
          fields: Object.fromEntries([...troubles].map(([name, trouble]) => [name, [trouble]])),
        })
      const now = valuesOf(fields, await readNow(there, list, id))
      const differences = differencesIn(fields, seen, now, values)
      if (differences.length > 0) return { differences, now }
      const change = changeOf(fields, now, values)
      if (Object.keys(change).length > 0) await there.patch(`${list}/${encodeURIComponent(id)}/`, change)
      const name = values['name'] ?? values['label']
      journal.write({
        archive: archive.id,
        act: 'record.changed',
        name: typeof name === 'string' && name !== '' ? name : id,
        place: `description/${encodeURIComponent(`${list}:${id}`)}`,
        detail: Object.keys(change).join(', '),
      })
      await refresh(archive.id, list)
      return { differences: [], now: values }
    },
  }
}
