import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import type { Control } from '../../../../electron/packaging/pack/control.ts'
import { inWork } from '../../../../electron/packaging/pack/plan.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { check, failureOf, pack } from '../../../packages/packing.ts'

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' }).trim()

/**
 * A disk that takes what is written and then loses it: a file system in an image that itself lies on a full
 * one. Undefined where none can be had.
 */
const losingDisk = (folder: string) => {
  const [under, disk] = [path.join(folder, 'under'), path.join(folder, 'disk')]
  const image = path.join(under, 'image')
  for (const made of [under, disk]) mkdirSync(made)
  using undoing = new DisposableStack()
  try {
    run('mount', '-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', under)
    undoing.defer(() => void run('umount', under))
    run('truncate', '-s', '256M', image)
    run('mkfs.ext4', '-q', '-O', '^has_journal', image)
    const device = run('losetup', '-f', '--show', image)
    undoing.defer(() => void run('losetup', '-d', device))
    run('mount', device, disk)
    undoing.defer(() => void run('umount', disk))
  } catch {
    return undefined
  }
  const undo = undoing.move()
  return {
    disk,
    [Symbol.dispose]: () => undo.dispose(),
    /** From now on nothing is lost. */
    mend: () => void run('mount', '-o', 'remount,size=300m', under),
  }
}

/** What is said of that: the disk has room, and is there. */
const lost = { kind: 'disk', trouble: 'other' }

const sourceOf = (folder: string, name: string, megabytes: number) => {
  const source = path.join(folder, name)
  mkdirSync(source)
  writeFileSync(path.join(source, 'film.bin'), randomBytes(megabytes * 1024 * 1024))
  return source
}

test('what a disk lost is told to each who packs there, and each copies anew', async ({ skip }) => {
  using place = scratch()
  using found = losingDisk(place.folder)
  if (!found) return skip('needs the right to mount')
  const [small, large] = [sourceOf(place.folder, 'small', 1), sourceOf(place.folder, 'large', 40)]
  const bag = path.join(found.disk, 'small')
  const { digestLog: ofKilled } = inWork(path.join(found.disk, 'killed.work'))
  mkdirSync(path.dirname(ofKilled))
  writeFileSync(ofKilled, '')
  let control: Control | undefined
  const onControl = (given: Control) => {
    control = given
    given.pause()
  }
  const packing = failureOf(pack([small], bag, {}, { onControl }))
  await until(() => existsSync(`${bag}.work`) || undefined)
  run('sync', '-f', found.disk)
  expect(await failureOf(pack([large], path.join(found.disk, 'large')))).toMatchObject(lost)
  expect(existsSync(ofKilled)).toBe(false)
  found.mend()
  control?.goOn()
  expect(await packing).toMatchObject(lost)
  expect(existsSync(bag)).toBe(false)
  await pack([small], bag)
  expect(await check(bag)).toMatchObject({ state: 'valid' })
})

test('who packs beside one that was told does not say that the disk is gone', async () => {
  using place = scratch()
  const [source, bag] = [sourceOf(place.folder, 'large', 40), path.join(place.folder, 'bag')]
  const { digestLog } = inWork(`${bag}.work`)
  let control: Control | undefined
  const packing = failureOf(
    pack([source], bag, {}, { onControl: (given) => (control = given), onPlan: () => control?.pause() }),
  )
  await until(() => existsSync(digestLog) || undefined)
  rmSync(digestLog)
  control?.goOn()
  expect(await packing).toMatchObject(lost)
  await pack([source], bag)
  expect(await check(bag)).toMatchObject({ state: 'valid' })
})

test('without Perl, what somebody else was told of the disk is known of a package that is one file', async ({
  skip,
}) => {
  using place = scratch()
  using found = losingDisk(place.folder)
  if (!found) return skip('needs the right to mount')
  const programs = path.join(place.folder, 'programs')
  mkdirSync(programs)
  for (const program of ['sh', 'rm']) symlinkSync(run('which', program), path.join(programs, program))
  writeFileSync(path.join(programs, 'sync'), `#!/bin/sh\n${run('which', 'sync')} "$@" || [ "$1" = -f ]\n`, {
    mode: 0o755,
  })
  const source = sourceOf(place.folder, 'large', 40)
  vi.stubEnv('PATH', programs)
  const failure = failureOf(pack([source], path.join(found.disk, 'large.tar'), { form: 'tar' }))
  await failure.finally(() => vi.unstubAllEnvs())
  expect(await failure).toMatchObject(lost)
})
