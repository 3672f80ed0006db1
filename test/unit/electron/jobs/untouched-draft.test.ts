import { expect, test } from 'vitest'
import { blankDraft, chosen, untouchedDraft } from '../../../../electron/jobs/kinds/transfer/draft.ts'
import type { KeptTransfer } from '../../../../electron/store/desk/desk-store.ts'

const blank = blankDraft(
  { latestTransfer: () => undefined },
  { archive: 'archive', id: 'one', now: new Date(0) },
)
const again = (last: KeptTransfer) => untouchedDraft({ latestTransfer: () => last }, 'archive')
const withForm = (form: Partial<KeptTransfer['form']>): KeptTransfer => ({
  ...blank,
  form: { ...blank.form, ...form },
})

test('a draft of which nothing was said is gone on with', () => {
  expect(again(blank)).toBe(blank)
  // Who sends is proposed by the last transfer, and an agreement where there is only one.
  const proposed = withForm({ organization: 'Harbour board', person: 'Eva Ek', agreement: 'only' })
  expect(again(proposed)).toBe(proposed)
  // What a field had, and was emptied, is nothing.
  const emptied = withForm({ tags: { 'dc:subject': '' }, agreementValues: { unit: ' ' } })
  expect(again(emptied)).toBe(emptied)
})

test.each<[string, KeptTransfer]>([
  ['its name', withForm({ name: 'Minutes' })],
  ['an identifier', withForm({ identifier: 'SE-1' })],
  ['no identifier', withForm({ identifier: '' })],
  ['a field of its format', withForm({ tags: { 'dc:subject': 'Harbours' } })],
  ['what its agreement asks', withForm({ agreementValues: { unit: 'A' } })],
  ['whom to ask', withForm({ email: 'eva@example.org' })],
  ['a description', { ...blank, descriptive: '/descriptions/ead.xml' }],
  ['its format', { ...blank, packing: chosen(blank.packing) }],
])('a draft of which somebody said %s stands beside a new one', (_what, draft) => {
  expect(again(draft)).toBeUndefined()
})
