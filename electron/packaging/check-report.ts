import path from 'node:path'
import { parentPort } from 'node:worker_threads'
import { sentToThread } from '../common/worker-data.ts'
import { Failed } from '../contract/failure.ts'
import type { PackageReport } from '../contract/findings.ts'
import type { CheckerMessage } from './check-thread.ts'
import { ContainerError } from './entries/container-error.ts'
import { serializationOf } from './entries/entries.ts'
import { mostNames, TooManyNames } from './entries/name-table.ts'
import { gatherFindings, type Found } from './findings.ts'
import { sweepScratch } from './scratch.ts'

type Form = PackageReport['form']
type Facts = Omit<PackageReport, 'state' | 'errors' | 'warnings' | 'findings' | 'more'>

/**
 * The report of a check under way: `facts` are filled in as they are read, findings gathered.
 * @param given the path that is checked
 */
export const reportUnderWay = (given: string, format: string) => {
  const facts: Facts = {
    path: given,
    format,
    form: 'none',
    version: '',
    counts: { files: 0, folders: 0, bytes: 0 },
    algorithms: [],
    info: [],
  }
  const gathered = gatherFindings()
  const found: Found = (level, code, file, detail = '', line = null) =>
    gathered.add({ level, code, file, line, detail })
  const label = path.basename(given)
  return {
    facts,
    gathered,
    found,
    finished: (): PackageReport => ({ ...facts, ...gathered.result(), state: gathered.state() }),
    /** What was found of a thing that is no package says nothing about packages. */
    notAPackage: (form: Form): PackageReport => ({
      ...facts,
      form,
      state: 'not-a-package',
      errors: 1,
      warnings: 0,
      findings: [{ level: 'error', code: 'not-a-package', file: label, line: null, detail: '' }],
      more: [],
    }),
    /**
     * A file that nobody can look into: it is no package, and why is found.
     * @param file the path without its links
     * @throws the error, where it says nothing of the file
     */
    unreadable: (error: unknown, file: string): PackageReport => {
      if (error instanceof TooManyNames) found('error', 'too-many-names', label, `${mostNames}`)
      else if (error instanceof ContainerError) found('error', error.code, label, error.message)
      else throw error
      return { ...facts, ...gathered.result(), form: serializationOf(file), state: 'not-a-package' }
    },
  }
}

/**
 * Runs one check after the other, as this thread is sent them, and tells how each of them ended. Before the
 * first, what killed checks left is removed.
 */
export const answerChecks = async <Data>(check: (data: Data) => Promise<CheckerMessage>) => {
  const say = (message: CheckerMessage) => parentPort?.postMessage(message)
  const sent = sentToThread<Data>()
  await sweepScratch()
  for await (const data of sent)
    try {
      say(await check(data))
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      say({ failure: error.failure })
    }
}
