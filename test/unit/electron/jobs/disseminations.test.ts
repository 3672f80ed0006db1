import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClient } from '../../../../electron/archive-client/http.ts'
import type { Dissemination } from '../../../../electron/contract/dips.ts'
import { withDialect } from '../../../../electron/dialects/dialect.ts'
import { submission } from '../../../../electron/dialects/essarch/submissions.ts'
import { lookUpIn } from '../../../../electron/dialects/lookups.ts'
import type { DisseminationStatus } from '../../../../electron/dialects/models.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { conventions } from '../../../../electron/dialects/specification/conventions.ts'
import type { StepContext } from '../../../../electron/jobs/kinds/dissemination/step-context.ts'
import { steps } from '../../../../electron/jobs/kinds/dissemination/steps.ts'
import { startDialect } from '../../../archives/dialects.ts'
import { present } from '../../../support/present.ts'
import { until } from '../../../support/until.ts'

let essarch: Awaited<ReturnType<typeof startDialect>>
let client: ReturnType<typeof openClient>
beforeAll(async () => {
  essarch = await startDialect('essarch')
  const { username, password } = present(
    essarch.archive.others.find((account) => account.username === 'reader'),
  )
  const proof = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  client = openClient(essarch.proxy.url, proof, () => 'en', conventions)
})
afterAll(async () => {
  await client.stop()
  await essarch.stop()
})

const dissemination = present(specification.dissemination)
const asking = (part = dissemination) =>
  withDialect(client, { ...specification, dissemination: part }, lookUpIn(client, specification))

/** A task whose package has everything that was asked for, and is to be created. */
const toCreate = async (identifier: string): Promise<Dissemination> => {
  const wanted = { label: 'For the reading room', identifier, order: '1' }
  await dissemination.register(client, wanted)
  const found = present(await dissemination.find(client, identifier))
  const agreement = present((await submission.agreements(client))[0]).id
  await dissemination.agree(client, found, agreement)
  await dissemination.prepare(client, found.id)
  await until(async () =>
    (await dissemination.status(client, found.id)).stage === 'prepared' ? true : undefined,
  )
  const begun = { dip: found.id, createAsked: null, stage: 'create', state: 'working' } as const
  return { ...wanted, ...begun, id: '1', agreement, items: [], failure: null, message: '' }
}

const isCreate = /^POST .*create-dip/

/** Works at a task, by a clock that goes on only while it waits. */
const desk = (begun: Dissemination, waited: () => Promise<unknown>, part = dissemination) => {
  let task = begun
  let now = Date.parse('2026-11-28T10:00:00Z')
  const doing: StepContext = {
    archive: asking(part),
    save: (saved) => (task = saved),
    stop: new AbortController().signal,
    now: () => new Date(now),
    wait: async (ms) => {
      now += ms
      await waited()
    },
  }
  return {
    create: () => steps.create(task, doing),
    fetch: () => steps.fetch(task, doing),
    task: () => task,
    jump: (days: number) => void (now += days * 86_400_000),
  }
}

test('a dissemination package whose request is still on its way is not asked for twice', async () => {
  const { proxy } = essarch
  proxy.misbehave('delays the request', isCreate)
  const { create, task } = desk(await toCreate('DIP-delayed'), () => proxy.goOn())
  await expect(create()).rejects.toMatchObject({ failure: { kind: 'offline' } })
  proxy.misbehave('none')
  const heard: string[] = []
  proxy.tell((request) => isCreate.test(request) && heard.push(request))
  await until(async () => ((await create()).dip === null ? undefined : true))
  expect(heard).toEqual([])
  expect(await dissemination.status(client, present(task().dip))).toMatchObject({ stage: 'created' })
})

test('a dissemination package that the archive never heard of is asked for again', async () => {
  const { proxy } = essarch
  proxy.misbehave('drops the request', isCreate)
  const { create, task } = desk(await toCreate('DIP-dropped'), () => Promise.resolve())
  await expect(create()).rejects.toMatchObject({ failure: { kind: 'offline' } })
  proxy.misbehave('none')
  await create()
  expect(await dissemination.status(client, present(task().dip))).toMatchObject({ stage: 'created' })
})

test('while an archive works at a package that it calls prepared, nothing is asked for', async () => {
  const as = (stage: DisseminationStatus['stage'], isWorking: boolean): DisseminationStatus => {
    return { id: 'd', stage, isWorking, state: '', hasFailed: false, agreement: null, isLocked: true }
  }
  const said = [as('prepared', true), as('prepared', true), as('creating', true), as('created', false)]
  const asked: string[] = []
  const part = {
    ...dissemination,
    status: () => Promise.resolve(present(said.shift())),
    create: (_: unknown, id: string) => Promise.resolve(asked.push(id)),
  }
  const task = { ...(await toCreate('DIP-worked-at')), createAsked: '2026-11-20T10:00:00Z' }
  await desk(task, () => Promise.resolve(), part).create()
  expect([said, asked]).toEqual([[], []])
})

test.each([
  ['PENDING', true],
  ['STARTED', true],
  ['SUCCESS', false],
  ['FAILURE', false],
])('a dissemination package with a step that is %s is worked at: %s', async (stepState, isWorking) => {
  const row = { id: 'p', object_identifier_value: 'x', state: 'Prepared', step_state: stepState }
  const archive = { ...client, get: () => Promise.resolve(row) }
  expect(await dissemination.status(archive, 'p')).toMatchObject({ stage: 'prepared', isWorking })
})

/** A task whose one package is on its way already, as the archive says, and never comes. */
const toWaitFor = async (identifier: string) => {
  const item = {
    package: 'p',
    label: 'Plans',
    identifier: 'i',
    step: null,
    asked: null,
    state: 'to do',
  } as const
  let looks = 0
  const part = {
    ...dissemination,
    fetch: () => Promise.resolve(null),
    inWorkspace: () => {
      looks += 1
      if (looks > 10_000) throw new Error('It is looked for without end.')
      return Promise.resolve(new Set<string>())
    },
  }
  const task: Dissemination = { ...(await toCreate(identifier)), stage: 'fetch', items: [item] }
  return { task, item, part, looks: () => looks }
}

test('a package that never comes is not waited for without end', async () => {
  const { task, item, part } = await toWaitFor('DIP-waited-for')
  const seen = new Set<string | null | undefined>()
  const look = () => Promise.resolve(seen.add(waiting.task().items[0]?.asked))
  const waiting = desk(task, look, part)
  await expect(waiting.fetch()).rejects.toMatchObject({
    failure: { kind: 'conflict', detail: 'no copy came' },
  })
  expect([...seen]).toEqual(['2026-11-28T10:00:00.000Z'])
  expect(waiting.task().items).toEqual([item])
})

test('a clock that jumps ends no waiting, and makes none longer', async () => {
  const { task, part, looks } = await toWaitFor('DIP-by-another-clock')
  const waiting = desk(task, () => Promise.resolve(waiting.jump(looks() % 2 === 0 ? -1 : 1)), part)
  await expect(waiting.fetch()).rejects.toMatchObject({ failure: { detail: 'no copy came' } })
  // An hour, with a look in every second and a half.
  expect(looks()).toBeGreaterThan(2_400)
  expect(looks()).toBeLessThan(2_410)
})
