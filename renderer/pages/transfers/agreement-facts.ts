import { entryIn } from '../../../electron/common/records.ts'
import type { AgreementField } from '../../../electron/contract/agreements.ts'
import { shown } from '../../language/say.svelte.ts'

/**
 * What a package was described by under its agreement: what a person said, else what is usual there. What was
 * said of fields that are not known now is shown by their names.
 */
export const agreementFacts = (
  fields: AgreementField[],
  values: Readonly<Record<string, string>> = {},
): { name: string; value: string }[] => {
  const known = fields.map(({ key, label, usual, choices }) => {
    const value = entryIn(values, key) ?? usual
    return { name: label, value: choices.find((choice) => choice.value === value)?.text ?? value }
  })
  const others = Object.entries(values)
    .filter(([key]) => !fields.some((field) => field.key === key))
    .map(([key, value]) => ({ name: shown.field(key), value }))
  return [...known, ...others].filter(({ value }) => value !== '')
}
