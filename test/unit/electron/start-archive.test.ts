import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import { localArchives } from '../../../electron/shell/local-archive.ts'
import { scratch, until } from '../../archive.ts'

const address = { url: 'http://127.0.0.1:1', username: 'u', password: 'p' }

/** Archives that start as a script says: real processes, whose number is counted. */
const open = (folder: string, script: string, times: { waitMs?: number; hangsAfterMs?: number } = {}) => {
  const file = path.join(folder, 'archive.mjs')
  writeFileSync(file, script)
  const ended: boolean[] = []
  const started: { pid: number; kill: () => boolean }[] = []
  const archives = localArchives({
    script: file,
    fork: (name, args) => {
      const child = spawn(process.execPath, [name, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
      started.push({ pid: child.pid ?? 0, kill: () => child.kill('SIGKILL') })
      return child
    },
    log: () => undefined,
    ended: (isSample) => ended.push(isSample),
    ...times,
  })
  const start = () =>
    archives.start(folder, false).catch((error: unknown) => {
      if (error instanceof Failed) return error.failure
      throw error
    })
  return { ...archives, start, started, ended }
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
