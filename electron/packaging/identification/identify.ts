import { spawn } from 'node:child_process'
import { accessSync, closeSync, constants } from 'node:fs'
import { delimiter, extname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { openSource, readFully } from '../pack/copy.ts'
import { lineWriter } from '../pack/plan.ts'
import type { formatTools } from '../../contract/reader.ts'
import { messageOf } from '../../common/errors.ts'

/** What a file is, as a tool says: PRONOM's identifier where the tool knows it. */
export interface Identified {
  /** PRONOM's identifier ("fmt/11"); empty where the tool has none. */
  puid: string
  name: string
  mime: string
  /** By what: "signature", "container", "extension", "empty", or the tool's own words. */
  basis: string
  tool: Tool
}

/** A file that is to be identified, and its length. */
export interface Asked {
  file: string
  bytes: number
}

/** A tool that could not be run, ended with an error or spoke of other files than it was asked about. */
export class ToolFailed extends Error {}

export type Tool = (typeof formatTools)[number]

const unknown = { puid: '', name: '', mime: '', basis: '' }

const isInstalled = (command: string) =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, process.platform === 'win32' ? `${command}.exe` : command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/**
 * The tools of this computer, the best first: siegfried, FIDO, and a library that knows fewer formats and no
 * PRONOM.
 */
export const toolsHere = (): Tool[] => [
  ...(isInstalled('sf') ? (['siegfried'] as const) : []),
  ...(isInstalled('fido') ? (['fido'] as const) : []),
  'built-in',
]

const headBytes = 4_100
/** What a document in a ZIP is says a file in it, which need not be the first. */
const zipHeadBytes = 64 * 1024

const readHead = (file: string, bytes: number): Buffer => {
  const handle = openSource(file)
  try {
    const head = Buffer.alloc(bytes)
    return head.subarray(0, readFully(handle, head, 0))
  } finally {
    closeSync(handle)
  }
}

/** Text that no signature knows is named by its ending alone, and said so. */
const byLibrary = async (file: string): Promise<Identified> => {
  const { fileTypeFromBuffer } = await import('file-type')
  const first = await fileTypeFromBuffer(readHead(file, headBytes))
  const found = first?.ext === 'zip' ? await fileTypeFromBuffer(readHead(file, zipHeadBytes)) : first
  // "slut. " ends in nothing that could be a name.
  const ending = extname(file).slice(1).trim().toUpperCase()
  return found
    ? { puid: '', name: found.ext.toUpperCase(), mime: found.mime, basis: 'signature', tool: 'built-in' }
    : { ...unknown, name: ending, basis: ending === '' ? '' : 'extension', tool: 'built-in' }
}

/**
 * A name with a line break cannot stand in a list of names, one a line; and what is empty has no format,
 * whatever its name.
 */
const isForTool = ({ file, bytes }: Asked) => bytes > 0 && !/[\r\n]/.test(file)

/** A record of a tool: which file it is of, by its number among those that were asked or by its name. */
type Recorded = [of: number | string, found: Identified]

/**
 * Writes the names for a tool that reads them from a file, one a line, and runs it. @throws ToolFailed when
 * it is over
 */
async function* runTool(
  command: string,
  args: string[],
  files: Iterable<Asked>,
  list: string,
  read: (output: Readable) => AsyncIterable<Recorded>,
): AsyncGenerator<Recorded> {
  const names = lineWriter(list)
  for (const asked of files) if (isForTool(asked)) names.line(asked.file)
  names.close()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise<string | number>((done) => {
    child.once('error', (error) => {
      child.stdout.destroy()
      done(error.message)
    })
    child.once('close', (code, signal) => done(code ?? signal ?? 'no reason'))
  })
  try {
    try {
      yield* read(child.stdout)
    } catch (error) {
      throw new ToolFailed(`${command}: ${messageOf(error)}`)
    }
    const reason = await ended
    if (reason !== 0) throw new ToolFailed(`${command} ended with ${reason}`)
  } finally {
    child.kill()
  }
}

const none = (text: string) => (text === 'None' || text === 'UNKNOWN' ? '' : text)

const fido = (files: Iterable<Asked>, list: string) => {
  const fields = ['count', 'puid', 'formatname', 'mimetype', 'matchtype']
    .map((name) => `%(info.${name})s`)
    .join('\t')
  const args = ['-q', '-input', list, '-matchprintf', `${fields}\n`, '-nomatchprintf', '']
  return runTool('fido', args, files, list, async function* (output) {
    for await (const line of createInterface({ input: output })) {
      const [count, puid = '', name = '', mime = '', basis = ''] = line.split('\t')
      yield [Number(count), { puid: none(puid), name: none(name), mime: none(mime), basis, tool: 'fido' }]
    }
  })
}

const siegfried = (files: Iterable<Asked>, list: string) =>
  runTool('sf', ['-csv', '-f', list], files, list, async function* (output) {
    const { parse } = await import('csv-parse')
    const rows = output.pipe(parse({ columns: true, relax_column_count: true }))
    for await (const row of rows as AsyncIterable<Record<string, string>>)
      yield [
        row['filename'] ?? '',
        {
          puid: none(row['id'] ?? ''),
          name: row['format'] ?? '',
          mime: row['mime'] ?? '',
          basis: row['basis'] ?? '',
          tool: 'siegfried',
        },
      ]
  })

/**
 * Brings the records of a tool into the order of all files; of several matches for one file the first counts.
 */
async function* inOrder(
  files: Iterable<Asked>,
  tool: Tool,
  records: AsyncGenerator<Recorded>,
): AsyncGenerator<Identified> {
  try {
    let next = await records.next()
    let given = 0
    let before = ''
    for (const asked of files) {
      if (!isForTool(asked)) {
        yield asked.bytes === 0 ? { ...unknown, basis: 'empty', tool } : await byLibrary(asked.file)
        continue
      }
      given += 1
      while (!next.done && (next.value[0] === before || next.value[0] === given - 1))
        next = await records.next()
      const isOfIt = !next.done && (next.value[0] === asked.file || next.value[0] === given)
      yield isOfIt && !next.done ? next.value[1] : { ...unknown, tool }
      before = asked.file
    }
    // What is left may be of the last file; anything else means that files and records were out of step.
    while (!next.done && (next.value[0] === before || next.value[0] === given)) next = await records.next()
    if (!next.done) throw new ToolFailed(`${tool} spoke of “${next.value[0]}”, about which it was not asked`)
  } finally {
    await records.return(undefined)
  }
}

async function* withLibrary(files: Iterable<Asked>): AsyncGenerator<Identified> {
  for (const { file, bytes } of files)
    yield bytes === 0 ? { ...unknown, basis: 'empty', tool: 'built-in' } : await byLibrary(file)
}

/**
 * Says what files are, one after the other, in their order.
 * @param files gives the same files each time it is asked
 * @param list where names may be written for a tool that reads them from a file
 * @throws ToolFailed where the tool does not do its work; else where a file cannot be read
 */
export const identify = (
  tool: Tool,
  files: () => Iterable<Asked>,
  list: string,
): AsyncGenerator<Identified> => {
  if (tool === 'built-in') return withLibrary(files())
  return inOrder(files(), tool, tool === 'siegfried' ? siegfried(files(), list) : fido(files(), list))
}
