import { Failed, type Failure } from '../../electron/contract/failure.ts'
import { checkBag } from '../../electron/packaging/bagit/check/check.ts'
import { packBag, type Wanted } from '../../electron/packaging/bagit/pack-bag.ts'
import { packagingScripts } from '../../electron/packaging/scripts.ts'
import { builtFile } from '../support/built.ts'

export const scripts = packagingScripts(builtFile('main.js').href)

/** Packs with the usual settings, unless some are given. */
export const pack = (
  sources: string[],
  target: string,
  wanted: Partial<Wanted> = {},
  options: Partial<Parameters<typeof packBag>[1]> = {},
) =>
  packBag(
    { sources, target, form: 'folder', algorithms: ['sha256'], info: [], ...wanted },
    { scripts: scripts.pack, signal: new AbortController().signal, ...options },
  )

export const check = (bag: string, how: Partial<Parameters<typeof checkBag>[1]> = {}) =>
  checkBag(bag, { scripts: scripts.check, signal: new AbortController().signal, ...how })

/** Codes of what a check found, errors first; one of each. */
export const codesOf = async (bag: string) => {
  const { findings } = await check(bag)
  return { errors: codes(findings, 'error'), warnings: codes(findings, 'warning') }
}
const codes = (findings: { level: string; code: string }[], level: string) =>
  [...new Set(findings.filter((finding) => finding.level === level).map(({ code }) => code))].sort()

/** The failure that a work ends with; undefined when it does not. */
export const failureOf = async (work: Promise<unknown>): Promise<Failure | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Failed) return error.failure
      throw error
    },
  )
