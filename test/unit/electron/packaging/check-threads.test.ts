import { readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import path from 'node:path'
import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { pooledThreads } from '../../../../electron/packaging/check-threads.ts'
import type { CheckOptions } from '../../../../electron/packaging/format.ts'
import { checkPackage } from '../../../../electron/packaging/formats.ts'
import { present } from '../../../support/present.ts'
import { scratch } from '../../../support/scratch.ts'
import { makeBag, zipFolder } from '../../../packages/bags.ts'
import { brokenPackages } from '../../../packages/e-ark-broken.ts'
import { eArkFiles, writeFolder, type PackageFiles } from '../../../packages/e-ark.ts'
import { scripts } from '../../../packages/packing.ts'

/** Whoever checks many packages, and the threads that are begun meanwhile. */
const checking = () => {
  const checkThreads = pooledThreads()
  const begun: Worker[] = []
  const hear = (thread: Worker) => begun.push(thread)
  process.on('worker', hear)
  return {
    begun,
    check: (file: string, options: Partial<CheckOptions> = {}) =>
      checkPackage(file, {
        scripts: scripts.check,
        signal: new AbortController().signal,
        checkThreads,
        ...options,
      }),
    [Symbol.asyncDispose]: async () => {
      process.off('worker', hear)
      await Promise.all(begun.map((thread) => thread.terminate()))
    },
  }
}

/** Bags of which each has something that the next one has not. */
const bagsIn = (folder: string) => {
  const bag = (name: string, change: (bag: string) => void = () => undefined) => {
    const made = makeBag(path.join(folder, name), { 'External-Identifier': name })
    change(made)
    return made
  }
  const write = (name: string, text: string) => (made: string) => writeFileSync(path.join(made, name), text)
  return [
    bag('sound'),
    bag('unlisted', write('data/unlisted.txt', 'x')),
    bag('mismatch', write('data/tom.dat', 'x')),
    bag('old', write('bagit.txt', 'BagIt-Version: 0.95\nTag-File-Character-Encoding: UTF-8\n')),
    bag('undeclared', write('bagit.txt', '')),
    bag('to-fetch', write('fetch.txt', 'https://archive.example/a - data/a.txt\n')),
    bag('weak', write('manifest-md5.txt', `${'0'.repeat(32)}  data/tom.dat\n`.repeat(1_200))),
    bag('links', (made) => symlinkSync('tom.dat', path.join(made, 'data/link'))),
  ]
}

/** The same of packages of METS. */
const packagesIn = async (folder: string) => {
  const write = (name: string, files: PackageFiles) =>
    writeFolder(path.join(folder, name, 'package-1'), files)
  const other = (mets: string) => mets.replace(/PROFILE="[^"]*"/, 'PROFILE="http://xml.ra.se/e-arkiv/METS"')
  const manyFiles = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.txt`, `${at}`]))
  const withoutTypes = (mets: string) => mets.replaceAll(/MIMETYPE="[^"]*" /g, '')
  write('outside', eArkFiles({}))
  writeFolder(path.join(folder, 'outside/stray'), { 'a.txt': 'a' })
  const outside = path.join(folder, 'package-1.zip')
  await zipFolder(path.join(folder, 'outside'), outside)
  return [
    write('sound', eArkFiles({})),
    write('other', eArkFiles({ root: other })),
    write('none', eArkFiles({ root: () => '<none/>' })),
    write('many', eArkFiles({ data: manyFiles, representation: withoutTypes })),
    outside,
    ...brokenPackages.filter((_, at) => at % 5 === 0).map(([rule, files]) => write(rule, files())),
  ]
}

const openFiles = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0)

test('what a thread says of a package is not changed by those that it checked before', async () => {
  using place = scratch()
  await using checks = checking()
  const packages = [...bagsIn(place.folder), ...(await packagesIn(place.folder))]
  const reports = new Map<string, unknown>()
  for (const file of packages) reports.set(file, await checks.check(file))
  const before = openFiles()
  for (const file of packages.toReversed()) expect(await checks.check(file)).toEqual(reports.get(file))
  expect(openFiles()).toBe(before)
  // One for each of the formats.
  expect(checks.begun.length).toBe(2)
})

test('a thread whose check was stopped is used no more', async () => {
  using place = scratch()
  await using checks = checking()
  const bag = makeBag(path.join(place.folder, 'bag'), {})
  await checks.check(bag)
  const stopping = new AbortController()
  const { signal } = stopping
  const stopped = checks.check(bag, { signal, onControl: () => stopping.abort() })
  await expect(stopped).rejects.toThrow('The check was stopped')
  expect((await checks.check(bag)).state).toBe('valid')
  expect(checks.begun.length).toBe(2)
})

test.each([
  ['ran out of memory', 'const all=[];for(;;)all.push(new Array(1e4).fill(all.length))'],
  ['broke', 'throw new Error("broken")'],
  ['died', 'process.exit(0)'],
])('a thread that %s is used no more', async (_, text) => {
  using place = scratch()
  await using checks = checking()
  const bag = makeBag(path.join(place.folder, 'bag'), {})
  const checker = new URL(`data:text/javascript,${encodeURIComponent(text)}`)
  const word = () =>
    checks.check(bag, { scripts: { ...scripts.check, checker } }).then(
      ({ findings }) => findings[0]?.code,
      (error: Error) => error.message,
    )
  const first = await word()
  expect(['memory', 'broken', 'The thread that checks ended without a word.']).toContain(first)
  expect(await word()).toBe(first)
  expect(checks.begun.length).toBe(2)
  expect((await checks.check(bag)).state).toBe('valid')
})

test('a thread that breaks while it rests spoils no check', async () => {
  using place = scratch()
  await using checks = checking()
  const bag = makeBag(path.join(place.folder, 'bag'), {})
  await checks.check(bag)
  await present(checks.begun[0]).terminate()
  expect((await checks.check(bag)).state).toBe('valid')
  expect(checks.begun.length).toBe(2)
})

test('a thread that nobody needs any more ends', async () => {
  using place = scratch()
  await using checks = checking()
  await checks.check(makeBag(path.join(place.folder, 'bag'), {}))
  await once(present(checks.begun[0]), 'exit')
  expect(checks.begun.length).toBe(1)
})
