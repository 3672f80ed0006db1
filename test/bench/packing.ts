import { execFileSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Figures } from './figures.ts'
import { measured, median, table, timed, times } from './measure.ts'

const command = path.resolve(import.meta.dirname, '../../out/main/package-command.js')
const forms = ['folder', 'tar', 'zip'] as const
type Form = (typeof forms)[number]
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
  mkdirSync(folder, { recursive: true })
  const block = randomFillSync(Buffer.alloc(1024 * 1024))
  const handle = openSync(path.join(folder, 'film.bin'), 'w')
  for (let index = 0; index < largeGB * 1_000; index += 1) {
    block.writeUInt32LE(index, 0)
    writeSync(handle, block)
  }
  closeSync(handle)
}

/** bagit-python comes from the Python index by hand; where it is missing, its columns are left out. */
const hasBagIt = () => {
  try {
    execFileSync('bagit.py', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    console.log('bagit.py (bagit-python) is not installed here: nothing is compared with it.')
    return false
  }
}

const shell = (command: string) => timed(() => execFileSync('sh', ['-c', command]))
const remove = (...files: string[]) => {
  for (const file of files) rmSync(file, { recursive: true, force: true })
  execFileSync('sync')
}
const dgst = (...folders: string[]) =>
  `find ${folders.map((folder) => `"${folder}"`).join(' ')} -type f -print0 | xargs -0 -n 64 -P 2 ` +
  'openssl dgst -sha256 > /dev/null'

/** Seconds of each run of plain tools on a tree, and of bagit-python where that is installed. */
interface Plain {
  copies: number[]
  copiesWithDigests: number[]
  digests: number[]
  bags: number[]
  bagChecks: number[]
}

/** `cp -r` and digests two at a time; then a bag of the copy, which bagit-python makes in its place. */
const runPlain = async (source: string, copy: string, plain: Plain, isWithBagIt: boolean) => {
  const copied = await shell(`cp -r "${source}" "${copy}"`)
  plain.copies.push(copied)
  plain.copiesWithDigests.push(copied + (await shell(dgst(source, copy))))
  plain.digests.push(await shell(dgst(copy)))
  if (isWithBagIt) {
    plain.bags.push(copied + (await shell(`bagit.py --quiet --processes 2 --sha256 "${copy}"`)))
    plain.bagChecks.push(await shell(`bagit.py --quiet --processes 2 --validate "${copy}"`))
  }
}

const targetOf = (folder: string, run: number, form: Form) =>
  path.join(folder, form === 'folder' ? `made-${run}` : `made-${run}.${form}`)

/**
 * Packing and checking against the same work by plain tools: `cp -r`, then a digest of every file of the
 * source and of the copy, two at a time; against the copying alone; and against bagit-python. Built code in a
 * process of its own, so that its memory is its own too.
 */
const compare = async (
  folder: string,
  name: string,
  set: { files: number; bytes: number; largeGB: number },
  runs: number,
  { figures, isWithBagIt }: { figures: Figures; isWithBagIt: boolean },
) => {
  const source = path.join(folder, 'source')
  makeSet(source, set)
  execFileSync('sh', ['-c', `find "${source}" -type f -print0 | xargs -0 cat > /dev/null`])
  const plain: Plain = { copies: [], copiesWithDigests: [], digests: [], bags: [], bagChecks: [] }
  const ours = forms.map((form) => ({ form, packs: [] as number[], checks: [] as number[], memory: 0 }))
  // Where ext4 has no journal, each new file costs a look at all that were removed in the last minutes: it
  // would be counted against whatever comes next. A few large ones take room instead.
  const left: string[] = []
  const done = (file: string) => {
    left.push(file)
    if (set.files === 0) remove(...left.splice(0))
    else execFileSync('sync')
  }
  // One after the other in each round, so that what else the machine does slows all of them.
  for (let run = 0; run < runs; run += 1) {
    const copy = path.join(folder, `copy-${run}`)
    await runPlain(source, copy, plain, isWithBagIt)
    done(copy)
    for (const one of ours) {
      const target = targetOf(folder, run, one.form)
      const packed = await measured([command, 'create', source, target, '--form', one.form])
      const checked = await measured([command, 'validate', target])
      one.packs.push(packed.seconds)
      one.checks.push(checked.seconds)
      one.memory = Math.max(one.memory, packed.peakMB, checked.peakMB)
      done(target)
    }
  }
  remove(source, ...left)
  const note = (what: string, times: number[], others: number[], most?: number) => {
    if (others.length > 0)
      figures.note({
        what,
        values: times.map((time, run) => time / (others[run] ?? 0)),
        unit: '×',
        ...(most === undefined ? {} : { bar: { most } }),
      })
  }
  return ours.map(({ form, packs, checks, memory }) => {
    const packing = `packing ${name} as ${form}`
    note(`${packing} / cp -r and openssl dgst, two at a time`, packs, plain.copiesWithDigests, 1.1)
    note(`${packing} / cp -r and bagit.py --processes 2`, packs, plain.bags, 0.9)
    note(`checking ${name} as ${form} / openssl dgst, two at a time`, checks, plain.digests)
    note(`checking ${name} as ${form} / bagit.py --validate`, checks, plain.bagChecks, 0.9)
    return {
      set: name,
      form,
      'plain tools': median(plain.copiesWithDigests).toFixed(1),
      ...(isWithBagIt ? { 'cp and bagit.py': median(plain.bags).toFixed(1) } : {}),
      'Lectern packs': median(packs).toFixed(1),
      ratio: times(median(packs) / median(plain.copiesWithDigests)),
      'copy alone': median(plain.copies).toFixed(1),
      'dgst of copy': median(plain.digests).toFixed(1),
      ...(isWithBagIt ? { 'bagit.py checks': median(plain.bagChecks).toFixed(1) } : {}),
      'Lectern checks': median(checks).toFixed(1),
      'ratio ': times(median(checks) / median(plain.digests)),
      'peak MB': memory,
    }
  })
}

/** From the start of the command to its first line. */
const startOfCommand = async (figures: Figures) => {
  const spent: number[] = []
  for (let run = 0; run < 5; run += 1) spent.push((await measured([command, '--help'])).seconds)
  figures.note({ what: 'start of the command', values: spent, unit: 's', bar: { most: 0.25 } })
}

/** An E-ARK SIP against the bag of the same tree, which it may take 1.15 times as long as. */
const compareFormats = async (folder: string, runs: number, figures: Figures) => {
  const source = path.join(folder, 'source')
  makeSet(source, { files: 10_000, bytes: 100_000, largeGB: 0 })
  const taken = { bagit: [] as number[], 'e-ark': [] as number[] }
  const left: string[] = []
  let peakMB = 0
  for (let run = 0; run < runs; run += 1)
    // In turn, since whatever comes second finds memory that was let go of a moment ago.
    for (const format of run % 2 === 0 ? formats : formats.toReversed()) {
      const target = path.join(folder, `${format}-${run}`)
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
      left.push(target)
      execFileSync('sync')
    }
  remove(source, ...left)
  figures.note({
    what: 'packing an E-ARK SIP / a bag of the same tree',
    values: taken['e-ark'].map((time, run) => time / (taken.bagit[run] ?? 0)),
    unit: '×',
    bar: { most: 1.15 },
  })
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
  const packed = await measured([command, 'create', source, target])
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
  const against = { figures, isWithBagIt: hasBagIt() }
  const title =
    'seconds, median; plain tools: cp -r, then openssl dgst -sha256 of source and copy, two at a time'
  table(`Packing and checking (${title})`, [
    ...(await compare(folder, '10 000 × 100 kB', { files: 10_000, bytes: 100_000, largeGB: 0 }, 3, against)),
    ...(await compare(folder, '8 GB', { files: 0, bytes: 0, largeGB: 8 }, 3, against)),
    ...(isQuick
      ? []
      : await compare(folder, '1 000 000 × 200 B', { files: 1_000_000, bytes: 200, largeGB: 0 }, 1, against)),
  ])
  await startOfCommand(figures)
  table('E-ARK SIP and bag (seconds, median)', [await compareFormats(folder, 6, figures)])
  if (!isQuick) table('Memory does not grow with what is packed', [await hugeSet(folder)])
}
