import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { WhichPackages } from '../../electron/contract/packages.ts'
import { waits } from '../../electron/sync/polling.ts'
import { openWindowless } from '../desks/windowless.ts'
import { memoryOf, sound, table } from './measure.ts'

// What a desk asks of an ESSArch with many packages: at sign-in, for a notification that names a package, for
// a burst of ten that name none, and while nothing happens. `node test/bench/essarch-day.ts FAMILIES SHARE`
// after `npm run build:main`: 5000 families are 10 000 packages; with a share of 0.25 the archive takes a
// quarter of the recorded times, and what is printed is multiplied by four.

const families = Number(process.argv[2] ?? 5_000)
const share = Number(process.argv[3] ?? 0.25)
/** So long nothing is asked when everything that followed from something is over, in milliseconds. */
const quietMs = 4_000

const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-day-'))
const child = fork(
  path.join(import.meta.dirname, 'paced-archive.ts'),
  [path.join(folder, 'archive'), String(families), String(share)],
  { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
)
const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
const { url, username, password } = JSON.parse(String(line)) as Record<
  'url' | 'username' | 'password',
  string
>
const happen = (...what: string[]) =>
  fetch(`${url}/api/bench/${what.map(encodeURIComponent).join('/')}`, {
    headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
  })
await happen('fill')

let asked: string[] = []
let lastAt = performance.now()
let late = 0
child.on('message', (told: { asked: string; late: number }) => {
  asked.push(told.asked)
  late += told.late > 50 ? 1 : 0
  // The channel, and looks at it, go on for ever.
  if (!told.asked.endsWith('notifications/?page_size=1')) lastAt = performance.now()
})
const wait = (ms: number) => new Promise((later) => setTimeout(later, ms))
/** What is asked from now until nothing is; times as the archive would take them without the share. */
const followed = async (begin: () => Promise<unknown>) => {
  asked = []
  const began = (lastAt = performance.now())
  await begin()
  while (performance.now() - lastAt < quietMs) await wait(100)
  return { minutes: (lastAt - began) / share / 60_000, requests: asked.length, asked }
}

const shownRow = (what: string, { minutes, requests }: { minutes: number; requests: number }) => ({
  what,
  minutes: Math.round(sound(what, minutes, '') * 100) / 100,
  requests,
})

const desk = openWindowless(path.join(folder, 'desk'))
const { session, connection, packages } = desk.features
await desk.goOn()
const flat: WhichPackages = {
  view: 'flat',
  sort: 'label',
  descending: false,
  filter: '',
  open: [],
  offset: 0,
  limit: 50,
}
const shownState = async (identifier: string) =>
  (await packages.list({ ...flat, filter: identifier })).rows.map(({ state }) => state)

const optionsIn = (requests: string[]) => requests.filter((request) => request.startsWith('OPTIONS')).length
let [beforeRows, rowsAfter] = [0, 0]
const memoryBefore = memoryOf(process.pid)
const first = await followed(async () => {
  const began = performance.now()
  await session.signIn({ url, username, password })
  while ((await packages.list(flat)).rows.length === 0) await wait(50)
  ;[beforeRows, rowsAfter] = [optionsIn(asked), (performance.now() - began) / share / 1000]
  const isRead = async () => (await session.status(undefined)).archives[0]?.connection.asOf !== null
  while (!(await isRead())) {
    await wait(200)
    lastAt = performance.now()
  }
})
const memoryAfter = memoryOf(process.pid, 'VmHWM')
const { total } = await packages.list(flat)
console.log(`${total} packages; ${late} answers came later than the recorded archive gives them.`)

console.log(shownRow('first reading', first))
const again = await followed(() => Promise.resolve(connection.refresh(undefined)))
const named: { minutes: number; requests: number }[] = []
for (const number of [3, 4, 5]) {
  const identifier = `B-${number}-2`
  const state = `Received ${number}`
  await happen('change', identifier, state)
  const told = await followed(async () => {
    await happen('tell', `Received Volume ${number} (${identifier})`)
    while (!(await shownState(identifier)).includes(state)) await wait(100)
    lastAt = performance.now()
  })
  console.log(`A package that was named: shown after ${told.minutes.toFixed(2)} minutes`)
  named.push(told)
}
const burst = await followed(async () => {
  for (let nth = 0; nth < 10; nth += 1) await happen('tell', '"Write to search index" failed')
})

const least = named.toSorted((a, b) => a.requests - b.requests)[1] ?? burst
const state = {
  isHere: false,
  isOffline: false,
  isExpecting: false,
  givesChanges: true,
  wholeAgeMs: 0,
  isNight: false,
}
const { pollMs, changesMs, wholeMs } = waits({ ...state, wholeTookMs: again.minutes * 60_000 })
const day = 8 * 3_600_000
const wholes = Math.floor(day / wholeMs)
const changes = Math.floor(day / changesMs) - wholes
/** What reading the changes asks, without the news that led to it. */
const changing = burst.asked.filter((request) => !request.includes('/notifications/')).length
table(`${total} packages before an archive at the speed of the recorded one`, [
  shownRow('first reading', first),
  shownRow('read whole again', again),
  shownRow('one notification that names a package (of three)', least),
  shownRow('twenty of them', { minutes: 20 * least.minutes, requests: 20 * least.requests }),
  shownRow('ten at once that name none', burst),
  shownRow(
    `eight idle hours: ${wholes} whole readings, what changed every ${changesMs / 1000} s, a look every ` +
      `${pollMs / 1000} s`,
    {
      minutes: wholes * again.minutes + changes * burst.minutes,
      requests: wholes * again.requests + changes * changing + Math.floor(day / pollMs),
    },
  ),
])
console.log(
  `First rows after ${rowsAfter.toFixed(1)} s, ${beforeRows} OPTIONS (${optionsIn(first.asked)} in all); ` +
    `memory ${memoryBefore} MB before, ${memoryAfter} MB at most.`,
)
await desk.stop()
child.kill()
rmSync(folder, { recursive: true, force: true })
