import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { openQuestions } from '../../../electron/questions/questions.ts'
import { openCache } from '../../../electron/store/cache.ts'
import { openDeskStore } from '../../../electron/store/desk.ts'
import { scratch } from '../../archive.ts'

const open = (folder: string, script: URL) =>
  openQuestions({
    script,
    file: path.join(folder, 'cache.sqlite'),
    deskFile: path.join(folder, 'desk.sqlite'),
  })
const worker = new URL('../../../electron/questions/worker.ts', import.meta.url)
const whichRecords = { within: null, filter: '', open: [], offset: 0, limit: 10 }

test('what Search offers to narrow by is found among a hundred thousand nodes, in the memory that the thread has', async () => {
  using place = scratch()
  const cache = openCache(path.join(place.folder, 'cache.sqlite'))
  openDeskStore(path.join(place.folder, 'desk.sqlite')).close()
  cache.database.exec(`
    with recursive node(n) as (select 0 union all select n + 1 from node where n < 99999)
    insert into held (archive, subject, id, element, nth, position, above, model, raw)
    select 'a', 'description/tags', 't' || n, n + 1, 0, n, case when n % 1000 = 0 then null else 't' || (n / 1000 * 1000) end,
      json_object('id', 't' || n, 'title', 'Volym ' || n, 'parent', case when n % 1000 = 0 then null else 't' || (n / 1000 * 1000) end, 'note', printf('%.600c', 'x')), '{}'
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
])('a thread that %s fails all who wait, and the next question starts another', async (_how, deed) => {
  using place = scratch()
  const file = path.join(place.folder, 'thread.mjs')
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads'
     parentPort.on('message', ({ id, name }) => {
       if (name === 'holdings') { ${deed} }
       if (name === 'filterChoices') parentPort.postMessage({ id, value: 'here' })
     })`,
  )
  const questions = open(place.folder, pathToFileURL(file))
  const asked = await Promise.allSettled([
    questions.ask('foundIds', 'a', { typed: '', filters: {} as never, most: 1, group: null }),
    questions.ask('holdings', 'a'),
    questions.ask('filterChoices', 'a'),
  ])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await questions.ask('filterChoices', 'a')).toBe('here')
  await questions.close()
})
