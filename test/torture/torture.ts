import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startArchive } from '../archive.ts'
import { startFaultyServer } from '../faults/faulty-server.ts'
import { seeded } from '../faults/mutate.ts'

const script = path.join(import.meta.dirname, 'desk.ts')

/** What the desk said was kept: from then on it may not be lost. */
export type Kept =
  | { kind: 'record'; id: string; title: string }
  | { kind: 'draft'; id: string; typed: number }
  | { kind: 'deleting' | 'restored'; id: string }
/** How everything stands in the end. */
export interface Rest {
  kind: 'rest'
  records: { id: string; list: string; title: string; state: string }[]
  transfers: { id: string; stage: string; typed: number }[]
  packages: string[]
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

const twice = (all: string[]) => all.filter((it, index) => all.indexOf(it) !== index)

/**
 * Works at a desk whose process is killed at random moments: types drafts, makes records and deliveries, packs, sends, holds,
 * moves and refreshes, before an archive whose answers are dropped, cut, delayed or replaced. Then lets it come to rest, and
 * compares the two sides.
 */
export const torture = async (
  folder: string,
  { seed, kills, onKill }: { seed: number; kills: number; onKill?: (kill: number) => void },
): Promise<Verdict> => {
  const archive = await startArchive(path.join(folder, 'archive'))
  const proxy = await startFaultyServer(archive.url)
  proxy.misbehaveAtRandom(seed)
  const random = seeded(seed + 1)
  const source = path.join(folder, 'source')
  mkdirSync(source)
  for (const name of ['brev.txt', 'räkning å.txt', 'tom'])
    writeFileSync(path.join(source, name), name === 'tom' ? '' : name.repeat(1000))
  const args = (life: number, mode: 'work' | 'settle') => [
    path.join(folder, 'desk'),
    proxy.url,
    archive.username,
    archive.password,
    source,
    String(seed * 100_000 + life),
    mode,
  ]

  const records = new Map<string, string>()
  const typed = new Map<string, number>()
  const deleting = new Set<string>()
  for (let kill = 0; kill < kills; kill += 1) {
    const desk = runDesk(args(kill, 'work'), (line) => {
      if (line.kind === 'record') records.set(line.id, line.title)
      if (line.kind === 'draft') typed.set(line.id, line.typed)
      if (line.kind === 'deleting') deleting.add(line.id)
      if (line.kind === 'restored') deleting.delete(line.id)
    })
    await new Promise((done) => setTimeout(done, 300 + random() * 1_500))
    desk.child.kill('SIGKILL')
    await desk.gone
    onKill?.(kill + 1)
  }
  const faults = proxy.met()
  proxy.misbehave('none')
  let said: Rest | undefined
  const settling = runDesk(args(kills, 'settle'), (line) => line.kind === 'rest' && (said = line))
  await settling.gone
  // TypeScript does not see that a listener sets it.
  const rest = said
  if (!rest) throw new Error('The desk did not say how everything stands.')

  const named = async (list: string) =>
    ((await archive.get(`${list}/`)) as { name: string }[]).map(({ name }) => name)
  const there = [...(await named('metric-types')), ...(await named('deliveries'))]
  const registered = await named('transfers')
  const families = (await archive.get('information-packages/')) as {
    id: string
    object_identifier_value: string
    information_packages?: { id: string }[]
  }[]
  const packaged = families.flatMap(
    ({ object_identifier_value: identifier, information_packages: nested = [] }) =>
      (nested.length > 0 ? nested : [null]).map(() => identifier),
  )
  const packageIds = new Set(
    families.flatMap(({ id, information_packages: nested = [] }) => [id, ...nested.map((it) => it.id)]),
  )
  await proxy.stop()
  await archive.stop()

  const isMine = (name: string) => name.startsWith('torture ')
  const recordOf = new Map(rest.records.map((it) => [it.id, it]))
  const draftOf = new Map(rest.transfers.map((it) => [it.id, it]))
  const preserved = rest.transfers.filter(({ stage }) => stage === 'preserved')
  return {
    ...{ kills, records: records.size, drafts: typed.size, preserved: preserved.length, faults },
    deleted: [...deleting].filter((id) => !recordOf.has(id)).length,
    lost: [
      ...[...records].filter(([id]) => !recordOf.has(id) && !deleting.has(id)).map(([, title]) => title),
      ...[...typed]
        .filter(([id, last]) => (draftOf.get(id)?.typed ?? -1) < last)
        .map(([id, last]) => `draft ${id}: ${draftOf.get(id)?.typed ?? 'gone'} of ${last}`),
    ],
    duplicates: [...twice(there.filter(isMine)), ...twice(registered.filter(isMine)), ...twice(packaged)],
    wrong: [
      ...rest.records
        .filter(({ title, state }) => (state === 'delivered') !== there.includes(title))
        .map(({ title, state }) => `${title}: ${state}`),
      ...rest.transfers
        .filter(({ id, stage }) => (stage === 'preserved') !== packaged.includes(id))
        .map(({ id, stage }) => `transfer ${id}: ${stage}`),
    ],
    stuck: [
      ...rest.records
        .filter(({ state }) => state !== 'delivered')
        .map(({ title, state }) => `${title}: ${state}`),
      ...rest.transfers
        .filter(({ stage }) => stage !== 'draft' && stage !== 'preserved')
        .map(({ id, stage }) => `transfer ${id}: ${stage}`),
    ],
    invented: rest.packages.filter((id) => !packageIds.has(id)),
  }
}
