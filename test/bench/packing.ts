import { execFileSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Figures } from './figures.ts'
import { measured, median, table, timed, times } from './measure.ts'

const bag = path.resolve(import.meta.dirname, '../../out/main/packaging-command.js')
const forms = ['folder', 'tar'] as const
const command = path.resolve(import.meta.dirname, '../../out/main/package-command.js')
const formats = ['bagit', 'e-ark'] as const

/**
 * Files of one size in folders of a thousand, and perhaps one large file beside them; real bytes, no two
 * files the same.
 */
const makeSet = (
  folder: string,
  { files, bytes, largeGB }: { files: number; bytes: number; largeGB: number },
) => {
  const content = Buffer.alloc(bytes)
  for (let index = 0; index < files; index += 1) {
    const inside = path.join(folder, String(Math.floor(index / 1_000)))
    if (index % 1_000 === 0) mkdirSync(inside, { recursive: true })
    writeFileSync(path.join(inside, `post-${index}.bin`), randomFillSync(content))
  }
  if (largeGB === 0) return
  const block = randomFillSync(Buffer.alloc(1024 * 1024))
  const handle = openSync(path.join(folder, 'film.bin'), 'w')
  for (let index = 0; index < largeGB * 1_000; index += 1) {
    block.writeUInt32LE(index, 0)
    writeSync(handle, block)
  }
  closeSync(handle)
}

const shell = (command: string) => timed(() => execFileSync('sh', ['-c', command]))
const remove = (...files: string[]) => {
  for (const file of files) rmSync(file, { recursive: true, force: true })
  execFileSync('sync')
}
const dgst = (...folders: string[]) =>
  `find ${folders.map((folder) => `"${folder}"`).join(' ')} -type f -print0 | xargs -0 -n 64 -P 2 ` +
  'openssl dgst -sha256 > /dev/null'

/**
 * Packing and checking against the same work by plain tools: `cp -r`, then a digest of every file of the
 * source and of the copy, two at a time; and against the copying alone. Built code in a process of its own,
 * so that its memory is its own too.
 */
const compare = async (
  folder: string,
  name: string,
  set: { files: number; bytes: number; largeGB: number },
  runs: number,
  figures: Figures,
) => {
  const source = path.join(folder, 'source')
  const copy = path.join(folder, 'copy')
  makeSet(source, set)
  execFileSync('sh', ['-c', `find "${source}" -type f -print0 | xargs -0 cat > /dev/null`])
  const plain: number[] = []
  const alone: number[] = []
  const checksAlone: number[] = []
  const ours = {
    folder: { pack: [] as number[], check: [] as number[], memory: 0 },
    tar: { pack: [] as number[], check: [] as number[], memory: 0 },
  }
  // One after the other in each round, so that the machine's moods fall on all of them.
  for (let run = 0; run < runs; run += 1) {
    remove(copy)
    alone.push(await shell(`cp -r "${source}" "${copy}"`))
    plain.push((alone.at(-1) ?? 0) + (await shell(dgst(source, copy))))
    checksAlone.push(await shell(dgst(copy)))
    remove(copy)
    for (const form of forms) {
      const target = path.join(folder, form === 'tar' ? 'bag.tar' : 'bag')
      const packed = await measured([bag, 'create', source, target, '--form', form])
      const checked = await measured([bag, 'validate', target])
      ours[form].pack.push(packed.seconds)
      ours[form].check.push(checked.seconds)
      ours[form].memory = Math.max(ours[form].memory, packed.peakMB, checked.peakMB)
      remove(target)
    }
  }
  remove(source)
  return forms.map((form) => {
    const { pack, check, memory } = ours[form]
    const ratios = (times: number[], others: number[]) => times.map((time, run) => time / (others[run] ?? 0))
    figures.note({
      what: `packing ${name} as ${form} / cp -r and openssl dgst, two at a time`,
      values: ratios(pack, plain),
      unit: '×',
      bar: { most: 1.1 },
    })
    figures.note({
      what: `checking ${name} as ${form} / openssl dgst, two at a time`,
      values: ratios(check, checksAlone),
      unit: '×',
    })
    return {
      set: name,
      form,
      'plain tools': median(plain).toFixed(1),
      'Lectern packs': median(pack).toFixed(1),
      ratio: times(median(pack) / median(plain)),
      'copy alone': median(alone).toFixed(1),
      'dgst of copy': median(checksAlone).toFixed(1),
      'Lectern checks': median(check).toFixed(1),
      'ratio ': times(median(check) / median(checksAlone)),
      'peak MB': memory,
    }
  })
}

/** An E-ARK SIP against the bag of the same tree, which it may take 1.15 times as long as. */
const compareFormats = async (folder: string, runs: number) => {
  const source = path.join(folder, 'source')
  makeSet(source, { files: 10_000, bytes: 100_000, largeGB: 0 })
  const taken = { bagit: [] as number[], 'e-ark': [] as number[] }
  let peakMB = 0
  for (let run = 0; run < runs; run += 1)
    for (const format of formats) {
      const target = path.join(folder, 'made')
      const submitter = 'CREATOR ORGANIZATION=Bench'
      const packed = await measured([
        command,
        'create',
        source,
        target,
        '--format',
        format,
        '--info',
        submitter,
      ])
      taken[format].push(packed.seconds)
      peakMB = Math.max(peakMB, packed.peakMB)
      remove(target)
    }
  remove(source)
  return {
    set: '10 000 × 100 kB',
    bag: median(taken.bagit).toFixed(1),
    'E-ARK SIP': median(taken['e-ark']).toFixed(1),
    'ratio (at most 1.15)': times(median(taken['e-ark']) / median(taken.bagit)),
    'peak MB': peakMB,
  }
}

/** A set far larger than the disk: thirty files of ten gigabytes that hold nothing but zeros. */
const hugeSet = async (folder: string) => {
  const source = path.join(folder, 'sparse')
  mkdirSync(source)
  for (let index = 0; index < 30; index += 1)
    execFileSync('truncate', ['-s', '10G', path.join(source, `${index}.img`)])
  const target = path.join(folder, 'bag')
  const packed = await measured([bag, 'create', source, target])
  const onDisk = statSync(path.join(target, 'data/sparse/0.img')).blocks * 512
  remove(source, target)
  return {
    set: '300 GB, sparse',
    seconds: packed.seconds.toFixed(0),
    'GB/s': (322 / packed.seconds).toFixed(1),
    'on disk a file': `${onDisk} bytes`,
    'peak MB': packed.peakMB,
  }
}

/** `quick` leaves out the million files and the 300 GB, which take a quarter of an hour. */
export const packingBench = async (folder: string, isQuick: boolean, figures: Figures) => {
  const title =
    'seconds, median; plain tools: cp -r, then openssl dgst -sha256 of source and copy, two at a time'
  table(`Packing and checking (${title})`, [
    ...(await compare(
      folder,
      '10 000 × 100 kB + 8 GB',
      { files: 10_000, bytes: 100_000, largeGB: 8 },
      3,
      figures,
    )),
    ...(isQuick
      ? []
      : await compare(folder, '1 000 000 × 200 B', { files: 1_000_000, bytes: 200, largeGB: 0 }, 1, figures)),
  ])
  table('E-ARK SIP and bag (seconds, median)', [await compareFormats(folder, 5)])
  if (!isQuick) table('Memory does not grow with what is packed', [await hugeSet(folder)])
}
