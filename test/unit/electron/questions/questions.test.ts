import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { specification } from '../../../../electron/dialects/specification.ts'
import { storage } from '../../../../electron/features/storage.ts'
import { openQuestions } from '../../../../electron/questions/questions.ts'
import { openCache } from '../../../../electron/store/cache/cache.ts'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import { ThreadClosed } from '../../../../electron/common/request-thread.ts'
import { archiveOf } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { builtFile } from '../../../support/built.ts'

const open = (folder: string, script: URL) =>
  openQuestions({
    script,
    fileOf: () => path.join(folder, 'cache.sqlite'),
    dialectOf: () => specification,
    deskFile: path.join(folder, 'desk.sqlite'),
  })
const worker = builtFile('questions-worker.js')
/** A thread that does this with each message, its `id` and its `body`. */
const threadThat = (folder: string, reaction: string) => {
  const file = path.join(folder, 'thread.mjs')
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads'
     parentPort.on('message', ({ id, body }) => { ${reaction} })`,
  )
  return pathToFileURL(file)
}
/** How far each thread of this program lets others go first: field 19 of proc_pid_stat(5). */
const nices = () =>
  readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })
const whichRecords = { within: null, filter: '', open: [], offset: 0, limit: 10 }

test('what Search offers to narrow by is found among a hundred thousand nodes, in the memory that the thread has', async () => {
  using place = scratch()
  const cache = openCache(path.join(place.folder, 'cache.sqlite'))
  openDeskStore(path.join(place.folder, 'desk.sqlite')).close()
  cache.database.exec(`
    with recursive node(n) as (select 0 union all select n + 1 from node where n < 99999)
    insert into held (subject, id, element, nth, position, above, model, raw)
    select 'description/tags', 't' || n, n + 1, 0, n, case when n % 1000 = 0 then null
      else 't' || (n / 1000 * 1000) end,
      json_object('id', 't' || n, 'title', 'Volym ' || n, 'parent', case when n % 1000 = 0 then null
        else 't' || (n / 1000 * 1000) end, 'note', printf('%.600c', 'x')), '{}'
    from node`)
  const questions = open(place.folder, worker)
  const [choices, records] = await Promise.all([
    questions.ask('filterChoices', 'a'),
    questions.ask('records', 'a', { ...whichRecords, list: 'tags' }),
  ])
  expect(choices.archives).toHaveLength(100)
  expect(choices.archives.slice(0, 2)).toEqual([
    { id: 't0', name: 'Volym 0' },
    { id: 't1000', name: 'Volym 1000' },
  ])
  expect(records.lines).toBe(100)
  await questions.close()
  cache.close()
})

test.each([
  ['breaks', `throw new Error('broken')`],
  ['ends without a word', 'process.exit(3)'],
])('a thread that %s fails all who wait, and the next question starts another', async (_how, reaction) => {
  using place = scratch()
  const thread = threadThat(
    place.folder,
    `if (body.name === 'orders') { ${reaction} }
     if (body.name === 'filterChoices') parentPort.postMessage({ kind: 'answer', id, value: 'here' })`,
  )
  const questions = open(place.folder, thread)
  const asked = await Promise.allSettled([
    questions.ask('found', 'a', { typed: '', filters: {} as never, most: 1, group: null }),
    questions.ask('orders', 'a'),
    questions.ask('filterChoices', 'a'),
  ])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await questions.ask('filterChoices', 'a')).toBe('here')
  await questions.close()
})

test('who asks for rows waits for nothing that is counted', async () => {
  using place = scratch()
  // It never ends counting, and answers all else at once.
  const thread = threadThat(
    place.folder,
    `if (body.name === 'storage') while (true);
     parentPort.postMessage({ kind: 'answer', id, value: 'rows' })`,
  )
  const questions = open(place.folder, thread)
  const counted = questions.ask('storage', 'a').catch((error: unknown) => error)
  expect(await questions.ask('filterChoices', 'a')).toBe('rows')
  await questions.close()
  expect(await counted).toBeInstanceOf(ThreadClosed)
})

test('what lies on media is counted by a thread, and a medium with 200 000 copies lists the first of them', async () => {
  using place = scratch()
  const cache = openCache(path.join(place.folder, 'cache.sqlite'))
  openDeskStore(path.join(place.folder, 'desk.sqlite')).close()
  cache.database.exec(`
    insert into held (subject, id, element, nth, position, model, raw) values
      ('media', 'm1', 1, 0, 1, '{"id":"m1","name":"Band 1","target":null}', '{}'),
      ('media', 'm2', 2, 0, 2, '{"id":"m2","name":"Band 2","target":null}', '{}');
    insert into package (id, type, aic, label, identifier, state, stepState, bytes, generation, isLast,
      archived, since, shownState, shownBytes, shownSince, words, folded)
      values ('p1', 'AIP', 'a1', 'Oxen', '', '', '', 5, 2, 1, 1, '', '', 5, '', '', '');
    with recursive copy(n) as (select 1 union all select n + 1 from copy where n < 200000)
    insert into held (subject, id, element, nth, position, model, raw)
    select 'objects', 'c' || n, n + 10, 0, n,
      json_object('id', 'c' || n, 'package', 'p' || n, 'medium', 'm1', 'path', '/lager/' || n, 'written',
      '2026-01-01'), '{}'
    from copy`)
  const questions = open(place.folder, worker)
  const { overview, medium } = storage({
    cacheOf: () => cache,
    ask: questions.ask,
  })
  const { media, copies } = await overview(archiveOf('a'), undefined)
  expect([media.map((row) => row.copies), copies]).toEqual([[200_000, 0], 200_000])
  const shown = await medium(archiveOf('a'), { id: 'm1' })
  expect([shown.medium.copies, shown.copies.length]).toEqual([200_000, 2_000])
  expect(shown.copies.slice(0, 2)).toEqual([
    {
      id: 'c1',
      package: 'p1',
      path: '/lager/1',
      written: '2026-01-01',
      label: 'Oxen',
      generation: 1,
      bytes: 5,
    },
    {
      id: 'c2',
      package: 'p2',
      path: '/lager/2',
      written: '2026-01-01',
      label: 'p2',
      generation: null,
      bytes: null,
    },
  ])
  expect((await medium(archiveOf('a'), { id: 'm2' })).copies).toEqual([])
  await questions.close()
  cache.close()
})

test.runIf(process.platform === 'linux')('whoever waits for rows goes before what counts', async () => {
  using place = scratch()
  openCache(path.join(place.folder, 'cache.sqlite')).close()
  openDeskStore(path.join(place.folder, 'desk.sqlite')).close()
  const before = nices().filter((nice) => nice === 5).length
  const questions = open(place.folder, worker)
  await questions.ask('records', 'a', { ...whichRecords, list: 'tags' })
  expect(nices().filter((nice) => nice === 5)).toHaveLength(before)
  await questions.ask('storage', 'a')
  expect(nices().filter((nice) => nice === 5)).toHaveLength(before + 1)
  await questions.close()
})
