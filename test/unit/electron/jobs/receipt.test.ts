import path from 'node:path'
import { expect, test } from 'vitest'
import { specification } from '../../../../electron/dialects/specification.ts'
import { blankDraft } from '../../../../electron/jobs/kinds/transfer/draft.ts'
import { generationOf } from '../../../../electron/jobs/kinds/transfer/generation.ts'
import { receiptOf } from '../../../../electron/jobs/kinds/transfer/receipt.ts'
import { openTransports } from '../../../../electron/jobs/kinds/transfer/transport.ts'
import { scratch } from '../../../support/scratch.ts'
import { someCapabilities } from '../../../archives/capabilities.ts'
import { someTransfer } from '../../../component/some-transfer.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

const now = new Date('2026-11-23T07:00:00.000Z')
const blank = blankDraft({ latestTransfer: () => undefined }, { archive: 'archive', id: 'one', now })
/** As ESSArch counts generations: from 0. */
const packageOf = (id: string, generation: number) => ({
  id,
  label: 'Oxen',
  object_identifier_value: id,
  package_type: 2,
  aic: 'aic',
  generation,
  state: 'Preserved',
})

test('a generation has one number everywhere, from 1 on, whichever way the archive counts', () => {
  using place = scratch()
  const copy = openLocalCopy(path.join(place.folder, 'archive.sqlite'))
  copy.hold('packages', [packageOf('first', 0), packageOf('second', 1)], now.toISOString())
  const numberOn = (became: string) =>
    receiptOf(
      { ...blank, package: became },
      { shown: someTransfer, cache: copy.cache, dialect: specification, now },
    ).package?.generation
  expect([numberOn('first'), numberOn('second')]).toEqual([1, 2])
  const numberOf = (became: string | null, former?: string) => {
    const of = former === undefined ? {} : { generationOf: { id: former, title: '' } }
    return generationOf({ package: became, form: { ...blank.form, ...of } }, copy.cache)
  }
  expect([numberOf('first'), numberOf('second', 'first')]).toEqual([1, 2])
  // One that is not preserved yet is the next one; of what is not known here, nothing is said.
  expect([numberOf(null, 'second'), numberOf(null, 'unknown'), numberOf(null)]).toEqual([3, null, null])
  copy.close()
})

test('copies on one medium are one, and those on a medium that failed none: originals should be kept', () => {
  using place = scratch()
  const at = now.toISOString()
  const copy = openLocalCopy(path.join(place.folder, 'archive.sqlite'))
  const media = [
    { id: 'a', medium_id: 'A', status: 20 },
    { id: 'b', medium_id: 'B', status: 20 },
    { id: 'gone', medium_id: 'C', status: 100 },
  ]
  copy.hold('media', media, at)
  const methods = ['disk', 'tape'].map((id) => ({ id, name: id, enabled: true }))
  const policies = [
    { id: 'p', policy_name: 'Two', policy_stat: true, storage_methods: methods },
    { id: 'silent', policy_name: 'It says no methods', policy_stat: true },
  ]
  copy.hold('policies', policies, at)
  const lying = { both: ['a', 'b'], same: ['a', 'a'], failed: ['a', 'gone'], silent: ['a'] }
  const packages = Object.keys(lying).map((id) => ({
    ...packageOf(id, 0),
    policy: id === 'silent' ? id : 'p',
  }))
  copy.hold('packages', packages, at)
  const objects = Object.entries(lying).flatMap(([ip, on]) =>
    on.map((id, index) => ({
      id: `${ip} ${index}`,
      ip,
      storage_medium: id,
      medium_id: media.find((medium) => medium.id === id)?.medium_id,
      content_location_value: '/x',
      last_changed_local: at,
    })),
  )
  copy.hold('objects', objects, at)
  const ofCopies = (became: string) =>
    receiptOf(
      { ...blank, package: became },
      { shown: someTransfer, cache: copy.cache, dialect: specification, now },
    ).reasons.find(({ code }) => code === 'copies')
  expect(ofCopies('both')).toMatchObject({ isMet: true, is: 2, of: 2 })
  expect(ofCopies('same')).toMatchObject({ isMet: false, is: 1, of: 2 })
  expect(ofCopies('failed')).toMatchObject({ isMet: false, is: 1, of: 2 })
  expect(ofCopies('silent')).toMatchObject({ isMet: false, is: 1, of: null })
  copy.close()
})

test('by which way a transfer goes is known of each', () => {
  const transportsOf = (submission: 'no' | 'whole') =>
    openTransports(() => ({ ...someCapabilities, submission })).transportOf
  expect(transportsOf('whole')(blank)).toEqual({ by: 'interface', folder: null })
  const laid = { ...blank, sending: 'submitting', reception: '/mnt/reception' } as const
  expect(transportsOf('whole')(laid)).toEqual({ by: 'reception folder', folder: '/mnt/reception' })
  expect(transportsOf('no')({ ...blank, ingestFolder: '/mnt/in' })).toEqual({
    by: 'ingest folder',
    folder: '/mnt/in',
  })
  expect(openTransports(() => null).transportOf(blank)).toEqual({ by: 'unknown', folder: null })
})

test('an E-ARK SIP goes as a folder where it is named as its identifier, and never file by file', () => {
  const formOf = (submission: 'no' | 'whole', format: string, identifier = blank.id) =>
    openTransports(() => ({ ...someCapabilities, submission })).packingOf({
      ...blank,
      form: { ...blank.form, identifier },
      packing: { ...blank.packing, format, form: 'folder', upload: 'each file' },
    }).form
  expect(formOf('no', 'e-ark-sip')).toBe('folder')
  expect(formOf('no', 'e-ark-sip', 'SE-1')).toBe('tar')
  expect(formOf('whole', 'e-ark-sip')).toBe('tar')
  expect([formOf('no', 'bagit', 'SE-1'), formOf('whole', 'bagit')]).toEqual(['folder', 'folder'])
})

test('a new draft takes over who hands over from the last one, and not an e-mail that nobody gave this time', () => {
  const last = {
    ...blank,
    form: { ...blank.form, organization: 'Stadsarkivet', person: 'Ann', email: 'ann@example.org' },
  }
  const { form } = blankDraft({ latestTransfer: () => last }, { archive: 'archive', id: 'two', now })
  expect(form).toMatchObject({ organization: 'Stadsarkivet', person: 'Ann', email: '' })
})
