import { randomUUID } from 'node:crypto'
import type { Body, Database, Kind } from './database.ts'
import { keysOf } from '../common/records.ts'

/** What every archive of this kind begins with; each list can be added to. */
const defaults: Partial<Record<Kind, Body[]>> = {
  'agent identifier type': [{ name: 'Organization number' }, { name: 'ISNI' }, { name: 'VIAF' }],
  'agent name type': [
    { name: 'Authorized form', authority: true },
    { name: 'Other form', authority: false },
    { name: 'Former name', authority: false },
  ],
  'agent note type': [
    { name: 'History', history: true },
    { name: 'Functions', history: false },
    { name: 'Places', history: false },
  ],
  'agent place type': [{ name: 'Seat' }, { name: 'Field of activity' }],
  'agent relation type': [
    { name: 'Predecessor', mirrored_type: 2 },
    { name: 'Successor', mirrored_type: 1 },
    { name: 'Associated with', mirrored_type: 3 },
  ],
  'agent type': [
    {
      id: randomUUID(),
      main_type: { id: 1, name: 'Municipal authority' },
      sub_type: '',
      cpf: 'corporatebody',
    },
    { id: randomUUID(), main_type: { id: 2, name: 'Association' }, sub_type: '', cpf: 'corporatebody' },
    { id: randomUUID(), main_type: { id: 3, name: 'Person' }, sub_type: '', cpf: 'person' },
    { id: randomUUID(), main_type: { id: 4, name: 'Family' }, sub_type: '', cpf: 'family' },
  ],
  'location level type': [{ name: 'Building' }, { name: 'Room' }, { name: 'Shelf' }],
  'location function type': [{ name: 'Storage' }, { name: 'Reading room' }, { name: 'Office' }],
  'metric type': [{ name: 'Shelf metres' }, { name: 'Volumes' }, { name: 'Boxes' }],
  'node identifier type': [{ name: 'Older signature' }, { name: 'Barcode' }],
  'node note type': [
    { name: 'Contents', history: false },
    { name: 'Custodial history', history: true },
  ],
  'node relation type': [{ name: 'Copy of' }, { name: 'Continues' }],
  'structure type': [
    {
      name: 'Archival schedule',
      instance_name: 'Archival schedule of',
      editable_instances: true,
      movable_instance_units: true,
      editable_instance_relations: true,
    },
    {
      name: 'Classification',
      instance_name: 'Classification of',
      editable_instances: false,
      movable_instance_units: false,
      editable_instance_relations: false,
    },
  ],
  'tag version type': [
    { name: 'Archive', archive_type: true, information_package_type: false },
    { name: 'Volume', archive_type: false, information_package_type: false },
    { name: 'Box', archive_type: false, information_package_type: false },
    { name: 'Information package', archive_type: false, information_package_type: true },
  ],
}

const languages =
  'sv en fi no nb nn da is fo kl se smj sma de nl fr es pt it pl cs sk hu ro bg el tr ru uk be et lv ' +
  'lt ar fa he ur hi bn zh ja ko vi th so sw am ti ku sq bs hr sr sl mk ga cy eu ca gl la yi rom'

/** Enters the vocabularies of archival description, and the languages by their own names. */
export const fillVocabularies = ({ put, nextNumber }: Database) => {
  for (const kind of keysOf(defaults))
    for (const row of defaults[kind] ?? []) put(kind, { id: row['id'] ?? nextNumber(kind), ...row })
  for (const code of languages.split(' '))
    put('language', {
      id: code,
      name_native: new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code,
    })
}
