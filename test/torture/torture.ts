import { spawn } from 'node:child_process'
import path from 'node:path'
import { startArchive } from '../archive.ts'
import { startFaultyServer } from '../faults/faulty-server.ts'
import { seeded } from '../faults/mutate.ts'

const script = path.join(import.meta.dirname, 'desk.ts')

/** What is wrong after the torture; all of it must be nought. */
export interface Verdict {
  kills: number
  created: number
  delivered: number
  /** Creations that were on disk and are nowhere now. */
  lost: string[]
  /** Names that the archive has more than once. */
  duplicates: string[]
  /** Said to be delivered, and not in the archive; or in the archive, and not said to be. */
  wrong: string[]
  /** Left for a person to decide. */
  undecided: string[]
}

const runDesk = (args: string[], onLine: (line: string) => void) => {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let rest = ''
  child.stdout.on('data', (part: Buffer) => {
    const lines = (rest + String(part)).split('\n')
    rest = lines.pop() ?? ''
    lines.forEach(onLine)
  })
  return { child, gone: new Promise<void>((done) => child.once('close', () => done())) }
}

/**
 * Creates records through an outbox whose process is killed at random moments, before an archive whose answers are dropped, cut,
 * delayed or replaced; then lets it come to rest, and compares the two sides.
 */
export const torture = async (folder: string, { seed, kills }: { seed: number; kills: number }): Promise<Verdict> => {
  const archive = await startArchive(path.join(folder, 'archive'))
  const proxy = await startFaultyServer(archive.url)
  proxy.misbehaveAtRandom(seed)
  const random = seeded(seed + 1)
  const file = path.join(folder, 'desk.sqlite')
  const kept = new Set<string>()
  for (let kill = 0; kill < kills; kill += 1) {
    const desk = runDesk([file, proxy.url, archive.basic, String(seed * 100_000 + kill), 'add'], (line) => kept.add(line))
    await new Promise((done) => setTimeout(done, 150 + random() * 700))
    desk.child.kill('SIGKILL')
    await desk.gone
  }
  proxy.misbehave('none')
  let last = '[]'
  const settling = runDesk([file, proxy.url, archive.basic, '0', 'settle'], (line) => (last = line))
  await settling.gone
  const desk = JSON.parse(last) as { title: string; state: string }[]
  const there = ((await archive.get('profiles/')) as { name: string }[]).map(({ name }) => name)
  await proxy.stop()
  await archive.stop()

  const stateOf = new Map(desk.map(({ title, state }) => [title, state]))
  return {
    ...{ kills, created: kept.size, delivered: desk.filter(({ state }) => state === 'delivered').length },
    lost: [...kept].filter((name) => !stateOf.has(name)),
    duplicates: there.filter((name, index) => there.indexOf(name) !== index),
    wrong: desk.filter(({ title, state }) => (state === 'delivered') !== there.includes(title)).map(({ title, state }) => `${title}: ${state}`),
    undecided: desk.filter(({ state }) => state === 'undecided' || state === 'refused').map(({ title }) => title),
  }
}
