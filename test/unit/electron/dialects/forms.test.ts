import path from 'node:path'
import { createsIn } from '../../../../electron/dialects/specification/creates.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  askOptions,
  bodyOf,
  readForm as formFrom,
  titleIn,
} from '../../../../electron/dialects/specification/forms.ts'
import { openClient, readList } from '../../../archives/archive-client.ts'
import { type Client } from '../../../../electron/archive-client/http.ts'
import { checkForm } from '../../../../electron/contract/check-form.ts'
import type { FormField } from '../../../../electron/contract/description.ts'
import { recordsOf } from '../../../../electron/dialects/specification/records.ts'
import type { FormValues } from '../../../../electron/contract/description.ts'
import { definitionOf, listNamed, listNames, type ListName } from '../../../../electron/contract/lists.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { startFaultyServer } from '../../../faults/faulty-server.ts'
import { creations } from '../../../conformance/specification.ts'
import { queuedChoice, queuedIn } from '../../../../electron/contract/queued.ts'

const place = scratch()
let archive: RunningArchive
let proxy: Awaited<ReturnType<typeof startFaultyServer>>
let asking: Client
beforeAll(async () => {
  archive = await startArchive(path.join(place.folder, 'archive'), '--sample')
  proxy = await startFaultyServer(archive.url)
  asking = openClient(proxy.url, archive.basic, () => 'en')
})
beforeEach(() => proxy.misbehave('none'))
afterAll(async () => {
  await asking.close()
  await proxy.stop()
  await archive.stop()
  place[Symbol.dispose]()
})

const readForm = async (from: Client, list: ListName) =>
  formFrom(
    list,
    await askOptions(from, list),
    async (at) => {
      const named = listNamed(at)
      return named
        ? (await readList(from, recordsOf(named))).rows.map(({ model: { id, title } }) => ({
            value: id,
            text: title,
          }))
        : []
    },
    null,
  )
const createRecord = async (from: Client, list: ListName, fields: FormField[], values: FormValues) =>
  (
    (await from.post(
      `${list}/`,
      bodyOf(fields, values, () => ''),
    )) as { id: string }
  ).id

const brief = (fields: FormField[] | null) =>
  fields?.map(({ name, type, isRequired }) => `${name} ${type}${isRequired ? ' *' : ''}`)

test('everything that the specification lets one create has a form, described by the archive', async () => {
  const creating = listNames.filter((list) => definitionOf(list).isCreatable === true)
  expect([...creating].sort()).toEqual(Object.keys(creations).sort())
  for (const list of creating) {
    const fields = await readForm(asking, list)
    expect([list, fields?.map(({ name }) => name)]).toEqual([
      list,
      expect.arrayContaining(
        Object.keys(createsIn(list) ?? {}).filter((name) => fields?.some((field) => field.name === name)),
      ),
    ])
    expect([list, (fields ?? []).length > 0]).toEqual([list, true])
  }
  expect(await readForm(asking, 'events')).toBeNull()
})

test('references are chosen, rows have fields of their own, and what the specification names comes first', async () => {
  const fields = await readForm(asking, 'agents')
  expect(brief(fields)).toEqual([
    'names rows',
    'type choice *',
    'ref_code choice',
    'language choice',
    'level_of_detail choice',
    'record_status choice',
    'script choice',
    'notes rows',
    'identifiers rows',
    'places rows',
    'related_agents rows',
    'start_date date',
    'end_date date',
  ])
  expect(brief(fields?.find(({ name }) => name === 'names')?.of ?? [])).toContain('main text *')
  // Codes are offered by what they stand for.
  expect(fields?.find(({ name }) => name === 'level_of_detail')?.choices.map(({ text }) => text)).toEqual([
    'full',
    'partial',
    'minimal',
  ])
  expect(fields?.find(({ name }) => name === 'language')?.choices).toContainEqual({
    value: 'sv',
    text: 'svenska',
  })
})

test('an archive that does not describe itself is asked by the specification alone', async () => {
  proxy.misbehave('html 500', /^OPTIONS/)
  expect(brief(await readForm(asking, 'transfers'))).toEqual([
    'name text *',
    'delivery choice *',
    'submitter_organization text',
    'submitter_organization_main_address text',
    'submitter_individual_name text',
    'submitter_individual_email text',
    'description long text',
  ])
  const fields = (await readForm(asking, 'ref-codes')) ?? []
  expect(await createRecord(asking, 'ref-codes', fields, { country: 'NO', repository_code: 'BY' })).toMatch(
    /^[0-9a-f-]{36}$/,
  )
})

test('an account that may create nothing has no form', async () => {
  const reader = archive.others.find(({ username }) => username === 'reader')
  const theirs = openClient(
    archive.url,
    `Basic ${Buffer.from(`reader:${reader?.password}`).toString('base64')}`,
    () => 'en',
  )
  expect(await readForm(theirs, 'agents')).toBeNull()
  await theirs.close()
})

test('what is wrong is found before anything is sent, also in rows', async () => {
  const fields = (await readForm(asking, 'agents')) ?? []
  const values = {
    type: '',
    start_date: 'May',
    names: [{ main: 'x', certainty: 'much' }, { main: 'y'.repeat(300) }],
    notes: [{}],
  }
  expect(Object.fromEntries(checkForm(fields, values))).toEqual({
    type: 'missing',
    start_date: 'date',
    'names.0.certainty': 'number',
    'names.1.main': 'too long',
    'notes.0.text': 'missing',
    'notes.0.type': 'missing',
  })
  expect(
    bodyOf((await readForm(asking, 'me/searches')) ?? [], { name: 'a', query: 'kartor' }, () => ''),
  ).toEqual({
    name: 'a',
    query: { q: 'kartor' },
  })
})

test('messages of a refusal stand under the field they mean, also in rows', async () => {
  const fields = (await readForm(asking, 'agents')) ?? []
  const type = fields.find(({ name }) => name === 'type')?.choices[0]?.value ?? ''
  await expect(
    createRecord(asking, 'agents', fields, {
      type,
      names: [{ main: 'A' }, { main: 'B', start_date: '2000-99-99' }],
    }),
  ).rejects.toMatchObject({
    failure: {
      kind: 'refused',
      fields: { 'names.1.start_date': ['Date has wrong format. Use YYYY-MM-DD.'] },
    },
  })
})

test('a reference to what this desk made becomes the id that the archive gave it, also in rows and lists', async () => {
  const fields = (await readForm(asking, 'agents')) ?? []
  const values = { type: queuedChoice('q1'), names: [{ main: 'A', type: queuedChoice('q2') }] }
  expect(queuedIn(fields, values)).toEqual(['q2', 'q1'])
  expect(bodyOf(fields, values, (id) => ({ q1: 'uuid-1', q2: '17' })[id] ?? '')).toMatchObject({
    type: 'uuid-1',
    names: [{ main: 'A', type: 17 }],
  })
})

test('of the unit and the node that a node may stand in, each names the other as enough', async () => {
  const fields = (await readForm(asking, 'tags')) ?? []
  expect(
    fields.flatMap(({ name, alternative }) => (alternative === undefined ? [] : [[name, alternative]])),
  ).toEqual([
    ['structure_unit', 'parent'],
    ['parent', 'structure_unit'],
  ])
})

test('a filled form is called by its name; an agent by the first of its names', () => {
  expect(titleIn({ name: 'Shelf 4', names: [{ main: 'Ek' }] })).toBe('Shelf 4')
  expect(titleIn({ names: [{ main: 'Hamnkontoret', part: '' }, { main: 'Hamnen' }] })).toBe('Hamnkontoret')
  expect(titleIn({ names: [{ main: '' }] })).toBeNull()
  expect(titleIn({ names: [] })).toBeNull()
  expect(titleIn({ note: 'x' })).toBeNull()
})
