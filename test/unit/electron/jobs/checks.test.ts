import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openEngine } from '../../../../electron/jobs/engine.ts'
import { openChecks } from '../../../../electron/jobs/kinds/check/checks.ts'
import { scratch } from '../../../support/scratch.ts'
import { scripts } from '../../../packages/packing.ts'

/** Counts on and on, and hears that it is stopped a while later, as a thread does that reads a slow disk. */
const slow = `
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', () => {
    let counted = 0
    const timer = setInterval(() => {
      parentPort.postMessage({ total: { files: (counted += 1), bytes: 1 } })
      if (counted < 20) return
      clearInterval(timer)
      parentPort.postMessage({ stopped: true })
    }, 10)
  })`

/** Checks whose thread does what a script says. */
const openChecksBy = (script: string) => {
  const engine = openEngine({
    isPaused: () => false,
    dueJobs: () => [],
    now: () => new Date(),
    random: () => 0,
    reportBug: (error) => String(error),
  })
  const checker = new URL(`data:text/javascript,${encodeURIComponent(script)}`)
  const checks = openChecks({
    engine,
    cacheOf: () => expect.fail('no package is open'),
    dialectOf: () => expect.fail('no package is open'),
    scripts: { ...scripts, check: { ...scripts.check, checker } },
    now: () => new Date(),
    reportBug: (error) => String(error),
    changed: () => undefined,
  })
  return { engine, checks }
}

test('a check that is closed while its thread still counts is over, without a word of it', async () => {
  using place = scratch()
  const bag = path.join(place.folder, 'bag')
  mkdirSync(bag)
  const { engine, checks } = openChecksBy(slow)
  const { id } = checks.begin(bag)
  await expect.poll(() => checks.list()[0]?.progress.ofFiles).toBeGreaterThan(0)
  checks.close(id)
  // An error in what hears the thread would be nobody's, and end this run.
  await expect.poll(() => engine.isRunning(id)).toBe(false)
  expect(checks.list()).toEqual([])
})

test('a check whose thread breaks says that it is a bug, and nothing of the disk', async () => {
  using place = scratch()
  const bag = path.join(place.folder, 'bag')
  mkdirSync(bag)
  const { checks } = openChecksBy(`throw new TypeError('a hostile package')`)
  const { id } = checks.begin(bag)
  await expect.poll(() => checks.need(id).state).toBe('failed')
  expect(checks.need(id).failure).toEqual({ kind: 'bug', reference: 'TypeError: a hostile package' })
  const gone = checks.begin(path.join(place.folder, 'gone'))
  await expect.poll(() => checks.need(gone.id).state).toBe('failed')
  expect(checks.need(gone.id).failure).toMatchObject({ kind: 'disk', trouble: 'gone' })
})
