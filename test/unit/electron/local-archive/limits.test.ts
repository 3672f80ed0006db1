import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { makeBag, zipFolder } from '../../../packages/bags.ts'

const messagesOf = async (archive: RunningArchive) =>
  ((await archive.get('notifications/')) as { message: string }[]).map(({ message }) => message)

describe.skipIf(process.platform !== 'linux')('what the computer does not give', () => {
  test('a database that cannot be written is said in a sentence, and is there again when it can', async ({
    skip,
  }) => {
    using place = scratch()
    const data = path.join(place.folder, 'data')
    const locked = path.join(place.folder, 'locked')
    mkdirSync(locked)
    const first = await startArchive(data)
    const before = await first.get('deliveries/')
    await first.stop()
    const files = readdirSync(data).sort()
    if (spawnSync('mount', ['--bind', data, locked]).status !== 0) skip('needs the right to mount')
    try {
      execFileSync('mount', ['-o', 'remount,bind,ro', locked])
      const said = await startArchive(locked).then(
        async (archive) => {
          await archive.stop()
          return 'it started'
        },
        (error: unknown) => (error as Error).message.trim(),
      )
      expect(said).toBe(`The archive in ${locked} can only be read, and an archive writes.`)
    } finally {
      execFileSync('umount', ['-l', locked])
    }
    expect(readdirSync(data).sort()).toEqual(files)
    const again = await startArchive(data)
    expect(await again.get('deliveries/')).toEqual(before)
    await again.stop()
  })

  test('without a file to open, a bag waits and is taken in once when there are some', async ({ skip }) => {
    if (spawnSync('prlimit', ['--version']).status !== 0) skip('needs prlimit (util-linux)')
    using place = scratch()
    using source = scratch()
    const archive = await startArchive(place.folder)
    const limit = (files: string) =>
      execFileSync('prlimit', ['--pid', String(archive.pid), `--nofile=${files}:`])
    const opened = () => readdirSync(`/proc/${archive.pid}/fd`).length
    const [soft = ''] = execFileSync('prlimit', [
      '--pid',
      String(archive.pid),
      '--nofile',
      '--output',
      'SOFT',
      '--noheadings',
    ])
      .toString()
      .trim()
      .split('\n')
    makeBag(path.join(source.folder, 'bag'), { 'External-Identifier': 'waits' })
    await zipFolder(source.folder, path.join(place.folder, 'ingest/.bag.zip'))
    cpSync(path.join(source.folder, 'bag'), path.join(place.folder, 'ingest/.folder'), { recursive: true })
    const names = ['bag.zip', 'folder']
    // The connection that this opens is kept, and answers also while no other can be opened.
    await messagesOf(archive)
    limit(String(opened() + 2))
    for (const name of names)
      renameSync(path.join(place.folder, 'ingest', `.${name}`), path.join(place.folder, 'ingest', name))
    const waiting = names.map(
      (name) => `${name} waits and is tried again: The archive can open no more files.`,
    )
    await until(async () => {
      const said = await messagesOf(archive).catch((): string[] => [])
      return waiting.every((line) => said.includes(line)) ? true : undefined
    })
    limit(soft)
    const messages = await until(async () => {
      const said = await messagesOf(archive).catch((): string[] => [])
      return said.filter((line) => line.endsWith('is now preserved')).length === 2 ? said : undefined
    }, 90_000)
    expect(messages.toSorted()).toEqual(
      [...waiting, 'waits (waits) is now preserved', 'waits (waits) is now preserved'].sort(),
    )
    expect(readdirSync(path.join(place.folder, 'set-aside'))).toEqual([])
    await archive.stop()
  })
})
