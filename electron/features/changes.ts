import type { Archive } from '../archives/archive.ts'
import { needed } from '../dialects/dialect.ts'
import { needValidForm } from '../contract/check-form.ts'
import type { changes as promised } from '../contract/changes.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import type { Fulfils } from '../contract/define.ts'
import type { FieldDifference, FormField, FormValues } from '../contract/description.ts'
import { Failed } from '../contract/failure.ts'
import type { ListName } from '../contract/lists.ts'
import type { Journal } from '../store/desk/journal.ts'

interface Parts {
  capabilitiesOf: (archive: string) => Capabilities | null
  /** The fields of a form for a list, as the archive describes them. */
  formOf: (archive: Archive, list: ListName) => Promise<FormField[] | null>
  refresh: (archive: string, list: ListName) => Promise<void>
  journal: Journal
}

/** Fields that a form can change in place: nested rows would replace everything that stands there. */
const isChangeable = ({ type }: FormField) => type !== 'rows' && type !== 'json' && type !== 'choices'

/** What somebody else changed since a form was opened, field by field, with what it holds now. */
const differencesIn = (
  fields: FormField[],
  before: FormValues,
  now: FormValues,
  mine: FormValues,
): FieldDifference[] =>
  fields
    .filter(({ name }) => before[name] !== now[name])
    .map(({ name, label }) => ({
      name,
      label,
      before: before[name] ?? '',
      theirs: now[name] ?? '',
      mine: mine[name] ?? '',
      isMine: mine[name] !== before[name],
    }))

/**
 * Changing a record in an archive that lets one: always of the record as it is now, never over what somebody
 * else wrote meanwhile.
 */
export const changes = ({
  capabilitiesOf,
  formOf,
  refresh,
  journal,
}: Parts): Fulfils<typeof promised, [Archive]> => {
  const fieldsOf = async (archive: Archive, list: ListName) => {
    const may = capabilitiesOf(archive.id)?.lists.find((known) => known.list === list)?.isChangeable ?? false
    const fields = may ? await formOf(archive, list) : null
    if (!fields) throw new Failed({ kind: 'not-allowed', detail: '' })
    return fields.filter(isChangeable)
  }
  return {
    open: async (archive, { list, id }) => {
      const fields = await fieldsOf(archive, list)
      const { read, valuesOf } = needed(archive.dialect().changing)
      return { fields, values: valuesOf(fields, await read(archive.client(), list, id)) }
    },
    save: async (archive, { list, id, seen, values }) => {
      const client = archive.client()
      const { read, valuesOf, changeOf, send } = needed(archive.dialect().changing)
      const fields = await fieldsOf(archive, list)
      needValidForm(fields, values)
      const now = valuesOf(fields, await read(client, list, id))
      const differences = differencesIn(fields, seen, now, values)
      if (differences.length > 0) return { differences, now }
      const change = changeOf(fields, now, values)
      if (Object.keys(change).length > 0) await send(client, list, id, change)
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
