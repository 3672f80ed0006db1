import { existsSync, statSync } from 'node:fs'
import { Failed, type Failure } from '../contract/failure.ts'
import type { PackageReport } from '../contract/findings.ts'
import type { Survey } from '../contract/survey.ts'
import { codeOf, messageOf, pathOf } from '../common/errors.ts'
import { countedSentence, findingSentence } from '../language/findings.ts'
import type { CheckOptions } from './format.ts'
import { discard, type Packed, type PackingOptions } from './pack/pack.ts'
import type { Serialization } from './pack/plan.ts'
import { suffixOf } from './pack/serializations.ts'

/** What a shell is told: valid, invalid, or nothing of a package (none, or one that could not be read). */
export const codes = { valid: 0, invalid: 1, unusable: 2 } as const
export type Code = (typeof codes)[keyof typeof codes]

export const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

/** Something that is wrong with how it was called; the message is the sentence. */
export class BadUsage extends Error {}

const progress = () => {
  const began = performance.now()
  let shown = 0
  let of = { files: 0, bytes: 0 }
  return {
    total: (total: { files: number; bytes: number }) => (of = total),
    show: ({ files, bytes, file }: { files: number; bytes: number; file: string }) => {
      if (performance.now() - shown < (process.stderr.isTTY ? 200 : 2_000)) return
      shown = performance.now()
      const pace = bytes / 1e6 / ((shown - began) / 1_000)
      const line =
        `${files} of ${of.files} files, ${(bytes / 1e6).toFixed(0)} of ${(of.bytes / 1e6).toFixed(0)} ` +
        `MB, ${pace.toFixed(0)} MB/s  ${file.slice(-60)}`
      process.stderr.write(process.stderr.isTTY ? `\r\u001B[2K${line}` : `${line}\n`)
    },
    end: () => process.stderr.isTTY && process.stderr.write('\r\u001B[2K'),
  }
}

const stopping = () => {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}

/** Says what is not packed, and which names are unusual. */
const sayWarnings = ({ skipped, warned }: Survey) => {
  for (const { path: file, why, target } of skipped.first)
    say({ level: 'warning', code: 'skipped', file, why, target })
  for (const { path: file, trouble } of warned.first) say({ level: 'warning', code: 'name', file, trouble })
}

const sayMade = (target: string, { counts, skipped, warned, formats }: Packed) => {
  for (const tool of formats?.failed ?? [])
    say({
      level: 'warning',
      code: 'tool-failed',
      tool,
      message: `${tool} failed; the next tool was taken.`,
    })
  for (const format of formats?.formats ?? []) say({ format, tool: formats?.tool })
  say({ summary: 'valid', path: target, ...counts, skipped: skipped.count, warnings: warned.count })
}

/** Says why no package was made; an unfinished one stays where the same call may go on with it. */
const sayUnmade = async (target: string, error: unknown, wasStopped: boolean): Promise<Code> => {
  if (wasStopped) {
    say({
      summary: 'stopped',
      path: target,
      detail: 'Give the same order again to go on, or remove the files beside it.',
    })
    return codes.unusable
  }
  if (!(error instanceof Failed)) throw error
  sayFailure(error.failure)
  // A source that is wrong is put right by a person; a full or lost disk is waited for.
  if (error.failure.kind !== 'disk') await discard(target)
  return error.failure.kind === 'source' ? codes.unusable : codes.invalid
}

const sayFailure = (failure: Failure) => {
  const others = failure.kind === 'source' ? (failure.others ?? []) : []
  const isGone = failure.kind === 'disk' && failure.trouble === 'gone'
  const message = isGone ? `“${failure.path}” is not there.` : undefined
  say({ level: 'error', code: failure.kind, ...failure, others: undefined, message })
  for (const other of others) say({ level: 'error', code: 'source', ...other })
  say({ summary: 'failed', errors: 1 + others.length })
}

/** Says what a check found, line by line. @returns what a shell is told */
const sayReport = (report: PackageReport): Code => {
  for (const finding of report.findings) say({ ...finding, message: findingSentence(finding, 'en') })
  for (const counted of report.more) say({ ...counted, message: countedSentence(counted, 'en') })
  const { path, state, errors, warnings, version, form, counts, algorithms } = report
  say({ summary: state, path, version, form, ...counts, algorithms, errors, warnings })
  return state === 'valid' ? codes.valid : state === 'invalid' ? codes.invalid : codes.unusable
}

interface Making {
  form: Serialization
  /** Says what the order lacks, and of how many things. */
  sayLacking: () => number
  isPolite: boolean
  isIdentified: boolean
  scripts: PackingOptions['scripts']
}

/** Makes a package where an order wants it, its name with the ending of its form, and says how that went. */
export const makeAt = async (
  dest: string,
  { form, sayLacking, isPolite, isIdentified, scripts }: Making,
  write: (target: string, options: PackingOptions) => Promise<Packed>,
): Promise<Code> => {
  const ending = suffixOf(form)
  const target = ending === '' || dest.endsWith(ending) ? dest : `${dest}${ending}`
  if (existsSync(target)) throw new BadUsage(`${target} is there already; nothing is overwritten.`)
  const errors = sayLacking()
  if (errors > 0) {
    say({ summary: 'invalid', path: target, errors })
    return codes.invalid
  }
  const meter = progress()
  const signal = stopping()
  try {
    const made = await write(target, {
      scripts,
      signal,
      onProgress: meter.show,
      onPlan: (survey) => {
        meter.total(survey.counts)
        sayWarnings(survey)
      },
      onControl: (control) => control.bePolite(isPolite),
      isIdentified,
    })
    sayMade(target, made)
    return codes.valid
  } catch (error) {
    return await sayUnmade(target, error, signal.aborted)
  } finally {
    meter.end()
  }
}

/** Checks what lies at a path, and says what was found. */
export const checkAt = async (
  file: string,
  check: (listener: Pick<CheckOptions, 'signal' | 'onTotal' | 'onProgress'>) => Promise<PackageReport>,
): Promise<Code> => {
  statSync(file)
  const meter = progress()
  const listener = { signal: stopping(), onTotal: meter.total, onProgress: meter.show }
  return sayReport(await check(listener).finally(meter.end))
}

/** Runs a command, and ends with its code; what is wrong with how it was called is said. */
export const endWith = async (run: () => Promise<Code>) => {
  try {
    process.exitCode = await run()
  } catch (error) {
    if (!(error instanceof BadUsage || error instanceof Failed) && codeOf(error) === '') throw error
    if (error instanceof Failed) sayFailure(error.failure)
    else {
      // The system names a call there, which is nothing to whoever gave a path.
      const message = codeOf(error) === 'ENOENT' ? `“${pathOf(error)}” is not there.` : messageOf(error)
      say({ level: 'error', code: 'unreadable', detail: message, message })
    }
    process.exitCode = codes.unusable
  }
}
