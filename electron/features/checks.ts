import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Check, checks as promised, Comparison } from '../contract/checks.ts'
import type { Fulfils } from '../contract/define.ts'
import { Failed } from '../contract/failure.ts'
import type { Package } from '../contract/packages.ts'
import { leads } from '../contract/jobs.ts'
import type { Engine } from '../jobs/engine.ts'
import { countedSentence, findingSentence } from '../language/findings.ts'
import { isReadable, normalized } from '../packaging/bagit/algorithms.ts'
import { checkBag } from '../packaging/check/check.ts'
import { csvLine } from '../packaging/csv.ts'
import { diskFailure, onDisk } from '../packaging/disk.ts'
import type { PackagingScripts } from '../packaging/scripts.ts'
import { replaceFile } from '../replace-file.ts'
import type { CacheOf } from '../store/caches.ts'

interface Parts {
  engine: Engine
  cacheOf: CacheOf
  scripts: PackagingScripts
  language: () => 'en' | 'sv'
  now: () => Date
  choose: (what: 'check-folder' | 'check-files') => Promise<string[]>
  /** Asks for the file to save to; undefined when the person thought better of it. */
  chooseTarget: (what: 'findings' | 'receipt', name: string) => Promise<string | undefined>
  changed: (id: string) => void
  dropped: (id: string) => void
}

const nothing = { files: 0, ofFiles: 0, bytes: 0, ofBytes: 0, file: '' }
const mostKept = 100

const digestsOf = async (
  file: string,
  algorithms: string[],
  signal: AbortSignal,
  took: (bytes: number) => unknown,
) => {
  const hashes = algorithms.map((algorithm) => createHash(algorithm))
  for await (const part of createReadStream(file, { highWaterMark: 1024 * 1024, signal })) {
    for (const hash of hashes) hash.update(part as Buffer)
    took((part as Buffer).length)
  }
  return algorithms.map((algorithm, index) => ({ algorithm, digest: hashes[index]?.digest('hex') ?? '' }))
}

/** Every digest that the archive keeps of a package, METS files included. */
const keptDigests = (it: Package) =>
  [
    { of: 'package' as const, algorithm: it.algorithm, expected: it.digest },
    ...(it.contentMets
      ? [
          {
            of: 'content-mets' as const,
            algorithm: it.contentMets.algorithm,
            expected: it.contentMets.digest,
          },
        ]
      : []),
    ...(it.packageMets
      ? [
          {
            of: 'package-mets' as const,
            algorithm: it.packageMets.algorithm,
            expected: it.packageMets.digest,
          },
        ]
      : []),
  ].filter(({ expected, algorithm }) => expected !== '' && isReadable(normalized(algorithm)))

const compare = (it: Package, digests: Check['digests']): Comparison[] =>
  keptDigests(it).flatMap(({ of, algorithm, expected }) => {
    const found = digests.find((own) => own.algorithm === normalized(algorithm))?.digest
    return found === undefined
      ? []
      : [{ of, algorithm, expected, found, isMatch: found === expected.toLowerCase() }]
  })

/** Checks what is dropped on the window: a bag for being complete and valid, any other file against the digests of the package that is open. */
export const checks = ({
  engine,
  cacheOf,
  scripts,
  language,
  now,
  choose,
  chooseTarget,
  changed,
  dropped,
}: Parts) => {
  const kept = new Map<string, Check>()

  const need = (id: string): Check => {
    const it = kept.get(id)
    if (!it) throw new Failed({ kind: 'not-found', what: id })
    return it
  }
  const set = (id: string, change: Partial<Check>) => {
    const before = kept.get(id)
    if (!before) return
    if (change.state !== undefined && !leads('check', before.state, change.state)) return
    kept.set(id, { ...before, ...change })
    changed(id)
  }

  const look = async (id: string, signal: AbortSignal) => {
    const { path: file, package: open } = need(id)
    const it = await stat(file)
    const report = await checkBag(file, {
      scripts: scripts.check,
      signal,
      onTotal: ({ files, bytes }) =>
        set(id, { progress: { ...need(id).progress, ofFiles: files, ofBytes: bytes } }),
      onProgress: ({ files, bytes, file: now }) =>
        set(id, { progress: { ...need(id).progress, files, bytes, file: now } }),
    })
    if (report.state !== 'not-a-bag' || !it.isFile()) {
      set(id, { state: 'done', report })
      return
    }
    // A file that is no bag is a file: its digests are what can be said of it.
    const whole = open === null ? undefined : cacheOf(open.archive).packages.whole(open.id)
    let bytes = 0
    set(id, { progress: { ...nothing, ofFiles: 1, ofBytes: it.size, file } })
    const algorithms = [
      ...new Set([
        'sha256',
        ...(whole ? keptDigests(whole) : []).map(({ algorithm }) => normalized(algorithm)),
      ]),
    ]
    const digests = await digestsOf(file, algorithms, signal, (length) => (bytes += length))
    set(id, {
      state: 'done',
      progress: { ...need(id).progress, files: 1, bytes },
      digests,
      comparisons: whole ? compare(whole, digests) : [],
    })
  }

  const begin = (file: string, open?: { archive: string; id: string }): Check => {
    const facts = open && cacheOf(open.archive).packages.facts(open.id)
    const id = randomUUID()
    const it: Check = {
      id,
      path: path.resolve(file),
      began: now().toISOString(),
      state: 'working',
      progress: nothing,
      report: null,
      digests: [],
      comparisons: [],
      failure: null,
      package: open && facts ? { archive: open.archive, id: facts.id, label: facts.label } : null,
    }
    kept.set(id, it)
    for (const old of [...kept.keys()].slice(0, -mostKept)) kept.delete(old)
    void engine.run(id, {
      run: async (signal) => {
        try {
          await look(id, signal)
        } catch (error) {
          if (signal.aborted) set(id, { state: 'stopped' })
          else set(id, { state: 'failed', failure: diskFailure(error, it.path).failure })
        }
      },
    })
    return it
  }

  const calls: Fulfils<typeof promised> = {
    list: () => [...kept.values()].reverse(),
    choose: async ({ what }) =>
      (await choose(what === 'folder' ? 'check-folder' : 'check-files')).map((file) => begin(file)),
    stop: ({ id }) => engine.abort(id),
    close: ({ id }) => {
      engine.abort(id)
      kept.delete(id)
      changed(id)
    },
    save: async ({ id }) => {
      const { report, path: checked } = need(id)
      const target = await chooseTarget('findings', `${path.basename(checked)}.csv`)
      if (target === undefined || !report) return false
      const lines = function* () {
        yield csvLine(['level', 'code', 'file', 'line', 'detail', 'sentence'])
        for (const it of report.findings)
          yield csvLine([
            it.level,
            it.code,
            it.file,
            it.line ?? '',
            it.detail,
            findingSentence(it, language()),
          ])
        for (const it of report.more)
          yield csvLine([it.level, it.code, '', '', it.count, countedSentence(it, language())])
        yield csvLine([
          'summary',
          report.state,
          report.path,
          '',
          `${report.counts.files} files, ${report.counts.bytes} bytes`,
          `${report.errors} errors, ${report.warnings} warnings`,
        ])
      }
      await onDisk(target, () => replaceFile(target, lines()))
      return true
    },
  }
  return {
    calls,
    /** What the window passes on when something is dropped on it; `at` is where the window is, in which archive. */
    drop: (paths: string[], at: string, archive: string) => {
      const id = /^#?\/?packages\/([^/]+)$/.exec(at)?.[1]
      const open = id === undefined || archive === '' ? undefined : { archive, id: decodeURIComponent(id) }
      const [first] = paths.map((file) => begin(file, open))
      if (first) dropped(first.id)
    },
  }
}
