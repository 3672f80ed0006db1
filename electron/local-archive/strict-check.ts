import path from 'node:path'
import { Failed } from '../contract/failure.ts'
import { findingSentence } from '../language/findings.ts'
import { checkBag, readingCodes, type CheckScripts } from '../packaging/check/check.ts'
import { InvalidBag } from './read-bag.ts'
import { NoRoom } from './system-error.ts'

type Report = Awaited<ReturnType<typeof checkBag>>

/** What is found in the first place, with the file and line that it is about, and how much more there is. */
const inWords = (
  { errors, path: received }: Report,
  { file, line, code, detail }: Report['findings'][number],
) => {
  const where = file === path.basename(received) ? '' : line === null ? file : `${file}, line ${line}`
  const more = errors > 1 ? ` (the first of ${errors} errors)` : ''
  return `${where === '' ? '' : `${where}: `}${findingSentence({ code, detail }, 'en')}${more}`
}

/** The check keeps files of its own, on another disk than the archive's, perhaps. */
const ownTrouble = (error: unknown): unknown => {
  if (!(error instanceof Failed) || error.failure.kind !== 'disk') return error
  const { trouble, path: folder } = error.failure
  return trouble === 'full'
    ? new NoRoom(`There is no room in ${folder} to check it.`)
    : new Error(`What the check keeps in ${folder} cannot be written (${trouble}).`, { cause: error })
}

/**
 * Checks what was received as strictly as Lectern checks bags before they are sent: what programs would read differently, and what
 * is not complete and valid (RFC 8493 3), is refused. It is done in threads; nothing is unpacked or changed.
 * @returns a check of a folder, tar or zip, which throws InvalidBag with the first error in a sentence, and what went wrong
 * where that says nothing of the bag
 */
export const strictCheck = (scripts: CheckScripts) => async (received: string) => {
  const report = await checkBag(received, { scripts, signal: new AbortController().signal }).catch(
    (error: unknown) => {
      throw ownTrouble(error)
    },
  )
  if (report.state === 'valid') return
  const errors = report.findings.filter(({ level }) => level === 'error')
  const verdict = errors.find(({ code }) => !readingCodes.has(code))
  if (verdict) throw new InvalidBag(inWords(report, verdict))
  const [first] = errors
  if (first) throw new Error(inWords(report, first))
  throw new InvalidBag('It is not a valid bag.')
}
