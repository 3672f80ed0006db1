import { expect, test } from 'vitest'
import { agreementNames } from '../../../renderer/state/agreement-names.ts'

test('agreements of one name differ by whose records they are about, else by their ids', () => {
  const named = (id: string, name: string, organization: string) => ({ id, name, organization })
  expect(
    agreementNames([
      named('00000000-1', 'Minutes', 'Kommunstyrelsen'),
      named('00000000-2', 'Drawings', 'Stadsarkivet'),
      named('00000000-3', 'Drawings', 'Hamnkontoret'),
      named('00000000-4', 'Letters', ''),
      named('11111111-5', 'Letters', ''),
    ]).map(({ name }) => name),
  ).toEqual([
    'Minutes',
    'Drawings · Stadsarkivet',
    'Drawings · Hamnkontoret',
    'Letters (00000000)',
    'Letters (11111111)',
  ])
})
