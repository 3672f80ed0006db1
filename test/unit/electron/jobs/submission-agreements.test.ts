import { afterAll, beforeAll, expect, test } from 'vitest'
import { Failed } from '../../../../electron/contract/failure.ts'
import type { ArchiveClient } from '../../../../electron/dialects/dialect.ts'
import { submission } from '../../../../electron/dialects/essarch/submissions.ts'
import { present } from '../../../support/present.ts'
import { failureOf } from '../../../packages/packing.ts'
import { essarch, startEssarch, stopEssarch, clientOf, openDesk, heldOf } from '../../../desks/submissions.ts'

beforeAll(startEssarch)
afterAll(stopEssarch)

test('what a person says of a package for its agreement is set before the archive uses it, and once', async () => {
  const archive = clientOf('reader')
  const fields = await submission.fieldsOf(archive, essarch().agreement)
  expect(fields.map(({ key, usual, isRequired }) => [key, usual, isRequired])).toEqual([
    ['archivist_organization_name', 'Förslagsmyndigheten', false],
    ['START_DATE', '1995-01-01', true],
    ['index_files', 'true', false],
  ])
  const desk = openDesk(archive)
  const said = { archivist_organization_name: 'Byggnadsnämnden', index_files: 'false' }
  desk.change({ form: { ...desk.kept().form, agreementValues: said } })
  await desk.submit()
  await desk.finish()
  const id = present(desk.kept().package)
  const rows = (await archive.list(`profile-ip/?ip=${id}`)) as {
    profile_type: string
    data: { data: Record<string, unknown> }
    data_versions: string[]
  }[]
  const dataOf = (type: string) => present(rows.find((row) => row.profile_type === type))
  for (const type of ['submit_description', 'sip', 'aip'])
    expect(dataOf(type)).toMatchObject({
      data: { data: { archivist_organization_name: 'Byggnadsnämnden' } },
      data_versions: { length: 2 },
    })
  expect(dataOf('sip').data.data['START_DATE']).toBe('1995-01-01')
  expect(dataOf('aip').data.data['index_files']).toBe(false)
  // It is locked by then.
  await expect(
    submission.fillIn(archive, id, 'before preparing', { START_DATE: '1900-01-01' }),
  ).rejects.toThrow(Failed)
})

test.each([
  ['profile', 'get', /^profiles\//, { template: 'none' }],
  ['list of profiles', 'list', /^profile-ip\//, { profile_type: 7 }],
  ['data', 'list', /^profile-ip\//, { data: 'none' }],
  ['relation', 'list', /^profile-ip\//, { id: null }],
] as const)(
  'what a person says for the agreement is never dropped where the %s cannot be read',
  async (_, method, at, answer) => {
    const archive = clientOf('reader')
    const desk = openDesk(archive)
    const agreementValues = { START_DATE: '1900-01-01', index_files: 'false', another_agreements: 'x' }
    desk.change({ form: { ...desk.kept().form, agreementValues } })
    const broken: ArchiveClient = Object.assign({}, archive, {
      get: async (address: string) => (method === 'get' && at.test(address) ? answer : archive.get(address)),
      list: async (address: string) => {
        const rows = await archive.list(address)
        return method === 'list' && at.test(address)
          ? rows.map((row) => Object.assign({}, row, answer))
          : rows
      },
    })
    expect(await failureOf(desk.submit(broken))).toMatchObject({
      kind: 'server-broke',
      detail: 'unexpected',
      address: expect.stringContaining('profile') as string,
    })
    expect((await heldOf(archive, desk))[0]?.state).toBe('Preparing')
    await desk.submit()
    expect(await failureOf(desk.finish(broken))).toMatchObject({ kind: 'server-broke' })
    expect((await heldOf(archive, desk))[0]?.state).toBe('Received')
    expect(await desk.finish()).toMatchObject({ state: 'preserved' })
  },
)

test('a field without a key takes none of the others of its profile with it', async () => {
  const archive = clientOf('reader')
  const headed: ArchiveClient = Object.assign({}, archive, {
    get: async (address: string) => {
      const answer = await archive.get(address)
      const { template } = answer as { template?: unknown[] }
      return template ? Object.assign({}, answer, { template: [{ template: '<hr/>' }, ...template] }) : answer
    },
  })
  expect(await submission.fieldsOf(headed, essarch().agreement)).toEqual(
    await submission.fieldsOf(archive, essarch().agreement),
  )
})

test('the fields of an agreement are known from the lists of the archive, and not from half of them', async () => {
  const archive = clientOf('reader')
  const lists = new Map<string, unknown[]>()
  for (const list of ['submission-agreements', 'profiles'])
    lists.set(list, await archive.list(`${list}/?pager=none`))
  const held = (list: string, id: string) =>
    lists.get(list)?.find((record) => (record as { id: unknown }).id === id)
  expect(submission.fieldsIn(held, essarch().agreement)).toEqual(
    await submission.fieldsOf(archive, essarch().agreement),
  )
  const without = (key: string) => (list: string, id: string) => {
    const record = held(list, id)
    return list === 'profiles' && record ? Object.assign({}, record, { [key]: undefined }) : record
  }
  expect(submission.fieldsIn(without('template'), essarch().agreement)).toBe(null)
  expect(submission.fieldsIn(() => undefined, essarch().agreement)).toBe(null)
  expect(submission.fieldsIn(held, 'another')).toBe(null)
})
