import { render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import { toPackage } from '../../electron/dialects/specification/packages.ts'
import type { ComparedFile } from '../../electron/contract/comparisons.ts'
import { mostInTable } from '../../electron/contract/exports.ts'
import type { PackagePage } from '../../electron/contract/packages.ts'
import ComparedFields from '../../renderer/pages/packages/ComparedFields.svelte'
import { comparisonRows } from '../../renderer/pages/packages/comparison-table.ts'
import { compareFields } from '../../renderer/pages/packages/compared-fields.ts'
import { idOfPair, pairIn, usualPair } from '../../renderer/pages/packages/comparison-address.ts'

const pageOf = (record: Record<string, unknown>, policyName: string | null = null): PackagePage => ({
  package: toPackage({ id: 'a', ...record }),
  aic: null,
  generations: [],
  opensGenerations: true,
  copies: [],
  wanted: 3,
  isPreserved: false,
  policyName,
  informationClass: null,
  agreementName: null,
  timeLine: [],
  raw: '{}',
  asOf: null,
})
const differing = (former: PackagePage, later: PackagePage) =>
  compareFields(former, later)
    .filter(({ isSame }) => !isSame)
    .map(({ name, former: before, later: after }) => `${name}: ${before} → ${after}`)

test('a package has no field that differs from its own', () => {
  const page = pageOf({ object_size: 5, agents: {}, has_cts: 'anything' }, 'Standard')
  expect(compareFields(page, page).length).toBeGreaterThan(20)
  expect(differing(page, page)).toEqual([])
})

test('fields are compared by what they say, also where only one package has them', () => {
  const former = pageOf({ state: 'Received', has_cts: 'yes' }, 'Standard')
  const later = pageOf({ state: 'Preserved', object_num_items: 4 }, 'Three copies')
  expect(differing(former, later)).toEqual([
    'State: Received → Preserved',
    'Policy: Standard → Three copies',
    'Files: — → 4',
    'has_cts: yes → —',
  ])
})

test('the last generation is told by its place as any other is', () => {
  const generations = ['a', 'b'].map((id) => ({ ...toPackage({ id }), files: 0 }))
  const of = (id: string) => ({ ...pageOf({ id }), generations })
  expect(differing(of('a'), of('b'))).toContain('Generation: 1 of 2 → 2 of 2')
})

test('what reads the same and is not is said to the last sign', () => {
  const sized = (bytes: number) => pageOf({ object_size: bytes })
  expect(differing(sized(1_200_000_000), sized(1_200_000_001))).toEqual([
    'Size: 1,200,000,000 B → 1,200,000,001 B',
  ])
})

test('two packages stand in one address, whatever signs their ids have', () => {
  for (const pair of [
    { former: 'a', later: 'b' },
    { former: 'a:b/%', later: 'å ö' },
  ])
    expect(pairIn(idOfPair(pair))).toEqual(pair)
  for (const id of ['', 'compare:', 'compare:a', 'compare:a:b:c', 'compare:%:b', 'c1f9'])
    expect(pairIn(id), id).toBeUndefined()
})

test('a generation is compared with the one before it, the first with the next', () => {
  const three = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  expect(usualPair(three, 'c')).toEqual({ former: 'b', later: 'c' })
  expect(usualPair(three, 'b')).toEqual({ former: 'a', later: 'b' })
  expect(usualPair(three, 'a')).toEqual({ former: 'a', later: 'b' })
  // A family stands for its last generation.
  expect(usualPair(three, 'family')).toEqual({ former: 'b', later: 'c' })
  expect(usualPair([{ id: 'a' }], 'a')).toBeUndefined()
})

test('what names one package alone is no difference that is counted', () => {
  const [one, other] = ['a', 'b'].map((id) => pageOf({ id, object_identifier_value: `SE/${id}`, state: id }))
  const fields = compareFields(one ?? pageOf({}), other ?? pageOf({}))
  render(ComparedFields, { fields, names: { former: 'Generation 1', later: 'Generation 2' } })
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['State'])
  expect(screen.getByText(/^1 of \d+ fields differ/)).toBeTruthy()
})

test('all fields are shown where somebody wants them, those that differ first', async () => {
  const fields = compareFields(pageOf({ state: 'Received' }), pageOf({ state: 'Preserved' }))
  render(ComparedFields, { fields, names: { former: 'Generation 1', later: 'Generation 2' } })
  const names = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent)
  expect(names()).toEqual(['State'])
  screen.getByLabelText(/All fields/).click()
  await expect.poll(() => names().length).toBe(fields.length)
  expect(names()[0]).toBe('State')
})

test('a table that cannot take all that differ says in its last row what is left out', () => {
  const fields = compareFields(pageOf({ state: 'Received' }), pageOf({ state: 'Preserved' })).filter(
    ({ isSame }) => !isSame,
  )
  const file: ComparedFile = {
    path: 'content/a',
    change: 'added',
    isRespelled: false,
    by: 'nothing',
    former: null,
    later: { path: 'content/a', bytes: 1, modified: null, digest: '', algorithm: '' },
  }
  const files = Array.from({ length: mostInTable }, () => file)
  const rows = comparisonRows(fields, { files, total: mostInTable + 50 })
  expect(rows).toHaveLength(mostInTable)
  expect(rows.at(-2)?.name).toBe('content/a')
  expect(rows.at(-1)?.name).toBe('… and 52 more that differ and are not listed')
  const all = comparisonRows(fields, { files: [file, file], total: 2 })
  expect(all.map(({ name }) => name)).toEqual(['State', 'content/a', 'content/a'])
})
