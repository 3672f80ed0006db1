import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Failed } from '../../../../electron/contract/failure.ts'
import { localArchives } from '../../../../electron/shell/local-archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'

const address = { url: 'http://127.0.0.1:1', username: 'u', password: 'p' }

/** Archives that start as a script says: real processes, whose number is counted. */
const open = (
  folder: string,
  script: string,
  times: { waitMs?: number; hangsAfterMs?: number; stopsWithinMs?: number } = {},
) => {
  const file = path.join(folder, 'archive.mjs')
  writeFileSync(file, script)
  const ended: boolean[] = []
  const logged: string[] = []
  const started: { pid: number; kill: () => boolean }[] = []
  const archives = localArchives({
    script: file,
    fork: (name, args) => {
      const child = spawn(process.execPath, [name, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
      started.push({ pid: child.pid ?? 0, kill: () => child.kill('SIGKILL') })
      return Object.assign(child, { postMessage: () => void child.kill() })
    },
    log: (line) => logged.push(line),
    ...times,
  })
  archives.onEnded((isSample) => ended.push(isSample))
  const start = () =>
    archives.start(folder, false).catch((error: unknown) => {
      if (error instanceof Failed) return error.failure
      throw error
    })
  return { ...archives, start, started, ended, logged }
}
const sayWhere = `console.log(${JSON.stringify(JSON.stringify(address))}); setInterval(() => {}, 1000)`

test('an archive that started too slowly for the one who asked is there for the next one', async () => {
  using place = scratch()
  const go = path.join(place.folder, 'go')
  const archives = open(
    place.folder,
    `import { existsSync } from 'node:fs'
     const look = setInterval(() => {
       if (!existsSync(${JSON.stringify(go)})) return
       clearInterval(look)
       ${sayWhere}
     }, 20)`,
    { waitMs: 300 },
  )
  expect(await archives.start()).toEqual({ kind: 'local-archive', detail: '…' })
  writeFileSync(go, '')
  expect(await until(async () => ('url' in (await archives.start()) ? true : undefined))).toBe(true)
  expect(await archives.start()).toEqual(address)
  expect(archives.started).toHaveLength(1)
  await archives.stop()
  expect(archives.ended).toEqual([])
})

test('a start that hangs is given up for the next one who asks, and two never work in one folder', async () => {
  using place = scratch()
  const hung = path.join(place.folder, 'hung')
  const archives = open(
    place.folder,
    `import { existsSync, writeFileSync } from 'node:fs'
     if (existsSync(${JSON.stringify(hung)})) { ${sayWhere} }
     else { writeFileSync(${JSON.stringify(hung)}, ''); setInterval(() => {}, 1000) }`,
    { waitMs: 20_000, hangsAfterMs: 0 },
  )
  const first = archives.start()
  await until(() => (existsSync(hung) ? true : undefined))
  expect(await archives.start()).toEqual(address)
  expect(await first).toMatchObject({ kind: 'local-archive' })
  expect(archives.started).toHaveLength(2)
  expect(() => process.kill(archives.started[0]?.pid ?? 0, 0)).toThrow('ESRCH')
  await archives.stop()
})

const isAlive = (pid = 0) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
/** Takes no notice of being asked to end. */
const deaf = `process.on('SIGTERM', () => undefined)`

test('an archive that hangs when it is to stop is killed, and that is logged', async () => {
  using place = scratch()
  const archives = open(place.folder, `${deaf}; ${sayWhere}`, { stopsWithinMs: 200 })
  expect(await archives.start()).toEqual(address)
  await archives.stop()
  expect(isAlive(archives.started[0]?.pid)).toBe(false)
  expect(archives.logged).toEqual([
    `The archive in ${place.folder} did not stop within 0.2 s and was killed.`,
  ])
  expect(archives.ended).toEqual([])
})

test('a start that hangs, and takes no notice, is killed before the next one works in the folder', async () => {
  using place = scratch()
  const hung = path.join(place.folder, 'hung')
  const archives = open(
    place.folder,
    `import { existsSync, writeFileSync } from 'node:fs'
     ${deaf}
     if (existsSync(${JSON.stringify(hung)})) { ${sayWhere} }
     else { writeFileSync(${JSON.stringify(hung)}, ''); setInterval(() => {}, 1000) }`,
    { waitMs: 20_000, hangsAfterMs: 0, stopsWithinMs: 200 },
  )
  void archives.start()
  await until(() => (existsSync(hung) ? true : undefined))
  expect(await archives.start()).toEqual(address)
  expect(isAlive(archives.started[0]?.pid)).toBe(false)
  await archives.stop()
})

test('what does not say where it is is gone before another is started in the folder', async () => {
  using place = scratch()
  const archives = open(place.folder, `${deaf}; console.log('no address'); setInterval(() => {}, 1000)`, {
    stopsWithinMs: 200,
  })
  expect(await archives.start()).toMatchObject({ kind: 'local-archive' })
  expect(await archives.start()).toMatchObject({ kind: 'local-archive' })
  expect(archives.started.map(({ pid }) => isAlive(pid))).toEqual([false, true])
  await archives.stop()
  expect(archives.started.map(({ pid }) => isAlive(pid))).toEqual([false, false])
})

test('an archive that ended by itself is said, and started again when it is asked for', async () => {
  using place = scratch()
  const archives = open(place.folder, sayWhere)
  expect(await archives.start()).toEqual(address)
  archives.started[0]?.kill()
  await until(() => (archives.ended.length > 0 ? true : undefined))
  expect(await archives.start()).toEqual(address)
  expect(archives.started).toHaveLength(2)
  await archives.stop()
})

test('what does not say where it is, is a failure with its words, and tried again', async () => {
  using place = scratch()
  const archives = open(place.folder, `console.log('no address'); setInterval(() => {}, 1000)`)
  expect(await archives.start()).toEqual({ kind: 'local-archive', detail: 'no address\n' })
  expect(await archives.start()).toEqual({ kind: 'local-archive', detail: 'no address\n' })
  expect(archives.started).toHaveLength(2)
  await archives.stop()
})
