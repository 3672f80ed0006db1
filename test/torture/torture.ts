import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startArchive, type RunningArchive } from '../archives/archive.ts'
import type { Dialect } from '../archives/dialects.ts'
import { startFaultyServer } from '../faults/faulty-server.ts'
import { seeded } from '../faults/mutate.ts'
import { hold, makeBackup, spoil } from './desk-file.ts'

const script = path.join(import.meta.dirname, 'desk-process.ts')

/** What the desk said was kept: from then on it may not be lost. */
export type Kept =
  | { kind: 'record'; id: string; title: string }
  | { kind: 'draft'; id: string; typed: number }
  | { kind: 'deleting' | 'restored' | 'forgotten'; id: string }
  | { kind: 'bug'; text: string }
  /** It is signed in, and begins. */
  | { kind: 'working' }
/**
 * A fault that is planted in the desk on purpose, by what the torture has to find of it; none where it is
 * empty.
 */
export type Planted = '' | 'lost' | 'double' | 'stuck' | 'invented'
/** How one life of the desk goes. */
export interface Life {
  mode: 'work' | 'settle'
  /**
   * At which step it ends by itself: "creation sending", "transfer renaming"; empty where it is killed at a
   * random moment.
   */
  dieAt: string
  /** How wrong the clock is. */
  aheadMs: number
  /** Whether the disk is full every now and then. */
  isFilling: boolean
  planted: Planted
  dialect: Dialect
}
/** How everything stands in the end. */
export interface Rest {
  kind: 'rest'
  records: { id: string; list: string; title: string; state: string }[]
  transfers: { id: string; state: string; failure: string | null; typed: number }[]
  packages: string[]
  downloads: string[]
}

/** What is wrong after the torture; all of it must be nought. */
export interface Verdict {
  kills: number
  records: number
  drafts: number
  preserved: number
  /** Records that somebody was just deleting when the desk was killed, and that stayed deleted. */
  deleted: number
  /** How many requests met which fault. */
  faults: Record<string, number>
  /** How many lives met which mishap. */
  mishaps: Record<string, number>
  /** Unexpected errors that the desk told of. */
  bugs: string[]
  /** Drafts and records that were on disk and are nowhere now, or not as they were typed last. */
  lost: string[]
  /** What the archive has more than once. */
  duplicates: string[]
  /** Said to be delivered or preserved, and not in the archive; or in the archive, and not said to be. */
  wrong: string[]
  /** In no state that says how it goes on, or left for a person. */
  stuck: string[]
  /** Rows on screen that the archive never had. */
  invented: string[]
}

const runDesk = (args: string[], onLine: (line: Kept | Rest) => void) => {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let rest = ''
  child.stdout.on('data', (part: Buffer) => {
    const lines = (rest + String(part)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(JSON.parse(line) as Kept | Rest)
  })
  return { child, gone: new Promise<void>((done) => child.once('close', () => done())) }
}

/** Steps at which the desk is killed: what was written down last says so. */
const steps = [
  'creation waiting',
  'creation sending',
  'creation unanswered',
  'creation delivered',
  'download',
  'transfer packing',
  'transfer registering',
  'transfer copying',
  'transfer renaming',
  'transfer sent',
]
const stepsOf = (isEssarch: boolean) => [
  ...steps,
  ...(isEssarch ? ['transfer submitting', 'transfer received'] : []),
]
const dayMs = 86_400_000
/** So much a clock jumps by, in both directions. */
const jumpsMs = [dayMs, 365 * dayMs, 3_653 * dayMs]
const longestLifeMs = 4_000
const longestStartMs = 15_000

const twice = (all: string[]) => all.filter((id, index) => all.indexOf(id) !== index)

/** Samples of an archive that keeps them; several generations of one have one identifier. */
const isSample = (identifier: string) => identifier.startsWith('SE/')

/** The identifiers of the packages that an archive preserves, and the ids of all that it has. */
const packagesOf = async ({ get }: Pick<RunningArchive, 'get'>, isEssarch: boolean) => {
  if (isEssarch) {
    const flat = (await get('information-packages/?view_type=flat&pager=none')) as {
      id: string
      aic: string | null
      object_identifier_value: string
      state: string
    }[]
    return {
      packaged: flat
        .filter(
          ({ state, object_identifier_value: identifier }) => state === 'Preserved' && !isSample(identifier),
        )
        .map(({ object_identifier_value: identifier }) => identifier),
      packageIds: new Set(flat.flatMap(({ id, aic }) => [id, ...(aic === null ? [] : [aic])])),
    }
  }
  const families = (await get('information-packages/')) as {
    id: string
    object_identifier_value: string
    information_packages?: { id: string }[]
  }[]
  return {
    packaged: families.flatMap(({ object_identifier_value: identifier, information_packages: nested = [] }) =>
      (nested.length > 0 ? nested : [null]).map(() => identifier),
    ),
    packageIds: new Set(
      families.flatMap(({ id, information_packages: nested = [] }) => [id, ...nested.map((ip) => ip.id)]),
    ),
  }
}

/**
 * Works at a desk whose process is killed at random moments: types drafts, makes records and deliveries,
 * packs, sends, holds, moves and refreshes, before an archive whose answers are dropped, cut, delayed or
 * replaced. Then lets it come to rest, and compares the two sides.
 */
export const torture = async (
  folder: string,
  {
    seed,
    kills,
    onKill,
    planted = '',
    dialect = 'specification',
  }: {
    seed: number
    kills: number
    onKill?: (kill: number) => void
    planted?: Planted
    dialect?: Dialect
  },
): Promise<Verdict> => {
  const isEssarch = dialect === 'essarch'
  // Its agreements are those of the samples; its work takes a moment.
  if (isEssarch) process.env['ESSARCH_TASK_MS'] ??= '20'
  const start = () =>
    startArchive(path.join(folder, 'archive'), '--dialect', dialect, ...(isEssarch ? ['--sample'] : []))
  let archive = await start()
  const proxy = await startFaultyServer(archive.url)
  proxy.misbehaveAtRandom(seed)
  const random = seeded(seed + 1)
  const source = path.join(folder, 'source')
  mkdirSync(source)
  for (const name of ['brev.txt', 'räkning å.txt', 'tom'])
    writeFileSync(path.join(source, name), name === 'tom' ? '' : name.repeat(1000))
  const file = path.join(folder, 'desk', 'desk.sqlite')
  const args = (life: number, how: Partial<Life>) => [
    path.join(folder, 'desk'),
    proxy.url,
    archive.username,
    archive.password,
    source,
    String(seed * 100_000 + life),
    JSON.stringify({ mode: 'work', dieAt: '', aheadMs: 0, isFilling: false, planted, dialect, ...how }),
  ]

  const records = new Map<string, string>()
  const typed = new Map<string, number>()
  const deleting = new Set<string>()
  const forgotten = new Set<string>()
  const bugs: string[] = []
  const lostByRecovery: string[] = []
  const mishaps: Record<string, number> = {}
  const happens = (mishap: string, share: number) => {
    const is = random() < share
    if (is) mishaps[mishap] = (mishaps[mishap] ?? 0) + 1
    return is
  }
  const hear = (line: Kept | Rest) => {
    if (line.kind === 'record') records.set(line.id, line.title)
    if (line.kind === 'draft') typed.set(line.id, line.typed)
    if (line.kind === 'deleting') deleting.add(line.id)
    if (line.kind === 'restored') deleting.delete(line.id)
    if (line.kind === 'forgotten') forgotten.add(line.id)
    if (line.kind === 'bug') bugs.push(line.text)
    if (line.kind === 'working') working.resolve()
  }
  const named = async (list: string) =>
    ((await archive.get(`${list}/?pager=none`)) as { name?: string; label?: string }[]).map(
      ({ name, label }) => name ?? label ?? '',
    )
  const isMine = (name: string) => name.startsWith('torture ')
  const lists = ['metric-types', 'node-note-types', 'deliveries', 'orders', 'transfers']
  const madeTwice = async () =>
    (await Promise.all(lists.map(named))).flatMap((all) => twice(all.filter(isMine)))
  const deaths = stepsOf(isEssarch)
  let made = 0
  let working = Promise.withResolvers<void>()
  for (let kill = 0; kill < kills; kill += 1) {
    working = Promise.withResolvers<void>()
    made = kill + 1
    const dieAt = happens('killed at a step', 0.4) ? (deaths[Math.floor(random() * deaths.length)] ?? '') : ''
    const jumpMs = jumpsMs[Math.floor(random() * jumpsMs.length)] ?? dayMs
    const aheadMs = happens('clock ahead', 0.1) ? jumpMs : happens('clock behind', 0.1) ? -jumpMs : 0
    const desk = runDesk(args(kill, { dieAt, aheadMs, isFilling: happens('disk full', 0.2) }), hear)
    const holding = happens('data held', 0.1) ? hold(file, 200 + random() * 2_000) : Promise.resolve()
    // What works there lives as long as the process of the double.
    if (!isEssarch && happens('archive killed', 0.05)) {
      await archive.kill()
      archive = await start()
      proxy.follow(archive.url)
    }
    // Now and then it does not even come to work.
    if (random() < 0.85)
      await Promise.race([
        working.promise,
        desk.gone,
        new Promise((done) => setTimeout(done, longestStartMs)),
      ])
    const lifeMs = dieAt === '' ? 300 + random() * 1_500 : longestLifeMs
    await Promise.race([desk.gone, new Promise((done) => setTimeout(done, lifeMs))])
    if (desk.child.exitCode === null && desk.child.signalCode === null) desk.child.kill('SIGKILL')
    await desk.gone
    await holding
    if (existsSync(file) && happens('backup made', 0.2)) await makeBackup(file)
    for (const how of ['gone', 'damaged'] as const)
      if (existsSync(`${file}.backup-1`) && happens(`data ${how}`, 0.04))
        lostByRecovery.push(...spoil(file, how, random, { records, typed, forgotten }))
    onKill?.(kill + 1)
    // A fault that was planted has been found.
    if (planted === 'double' && (await madeTwice()).length > 0) break
  }
  const faults = proxy.met()
  proxy.misbehave('none')
  let said: Rest | undefined
  const settling = runDesk(
    args(kills, { mode: 'settle', planted: planted === 'double' ? '' : planted }),
    (line) => {
      if (line.kind === 'rest') said = line
      else hear(line)
    },
  )
  await settling.gone
  // TypeScript does not see that a listener sets it.
  const rest = said
  if (!rest) throw new Error('The desk did not say how everything stands.')

  const there = (await Promise.all(lists.filter((list) => list !== 'transfers').map(named))).flat()
  const doubled = await madeTwice()
  const { packaged, packageIds } = await packagesOf(archive, isEssarch)
  await proxy.stop()
  await archive.stop()

  const recordOf = new Map(rest.records.map((record) => [record.id, record]))
  const draftOf = new Map(rest.transfers.map((transfer) => [transfer.id, transfer]))
  const preserved = rest.transfers.filter(({ state }) => state === 'preserved')
  return {
    kills: made,
    records: records.size,
    drafts: typed.size,
    preserved: preserved.length,
    faults,
    mishaps,
    bugs,
    deleted: [...deleting].filter((id) => !recordOf.has(id)).length,
    lost: [
      ...lostByRecovery,
      ...[...records].filter(([id]) => !recordOf.has(id) && !deleting.has(id)).map(([, title]) => title),
      ...[...typed]
        .filter(([id, last]) => (draftOf.get(id)?.typed ?? -1) < last)
        .map(([id, last]) => `draft ${id}: ${draftOf.get(id)?.typed ?? 'gone'} of ${last}`),
    ],
    duplicates: [...doubled, ...twice(packaged)],
    wrong: [
      ...rest.records
        .filter(({ title, state }) => (state === 'delivered') !== there.includes(title))
        .map(({ title, state }) => `${title}: ${state}`),
      ...rest.transfers
        .filter(({ id, state }) => (state === 'preserved') !== packaged.includes(id))
        .map(({ id, state }) => `transfer ${id}: ${state}`),
    ],
    stuck: [
      ...rest.records
        .filter(({ state }) => state !== 'delivered')
        .map(({ title, state }) => `${title}: ${state}`),
      ...rest.transfers
        .filter(({ state }) => state !== 'draft' && state !== 'preserved')
        .map(({ id, state, failure }) => `transfer ${id}: ${state} ${failure ?? ''}`),
    ],
    invented: [
      ...rest.packages.filter((id) => !packageIds.has(id)),
      ...rest.downloads.filter((id) => forgotten.has(id)).map((id) => `forgotten download ${id}`),
    ],
  }
}
