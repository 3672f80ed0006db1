import './field-list.css'
import { element } from '../element.ts'

export interface Field {
  name: string
  value: string
}

/** Names with their values; a name that several have in a row stands once. */
export const fieldList = (fields: Field[]) =>
  element(
    'dl',
    { class: 'fields' },
    ...fields.flatMap(({ name, value }, at) =>
      fields[at - 1]?.name === name
        ? [element('dd', {}, value)]
        : [element('dt', {}, name), element('dd', {}, value)],
    ),
  )
