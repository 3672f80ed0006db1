import { spawn } from 'node:child_process'
import { accessSync, closeSync, constants, openSync } from 'node:fs'
import { delimiter, extname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parse } from 'csv-parse'
import { fileTypeFromBuffer } from 'file-type'
import { readFully } from '../pack/copy.ts'
import { lineWriter } from '../pack/plan.ts'

/** What a file is, as a tool says: PRONOM's identifier where the tool knows it. */
export interface Identified {
  /** PRONOM's identifier ("fmt/11"); empty where the tool has none. */
  puid: string
  name: string
  mime: string
  /** By what: "signature", "container", "extension", or the tool's own words. */
  basis: string
}

export const tools = ['siegfried', 'fido', 'built-in'] as const
export type Tool = (typeof tools)[number]

const unknown: Identified = { puid: '', name: '', mime: '', basis: '' }

const isInstalled = (command: string) =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, process.platform === 'win32' ? `${command}.exe` : command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** The best tool of this computer: siegfried, else FIDO, else a library that knows fewer formats and no PRONOM. */
export const bestTool = (): Tool =>
  isInstalled('sf') ? 'siegfried' : isInstalled('fido') ? 'fido' : 'built-in'

const headBytes = 4_100

const readHead = (file: string): Buffer => {
  const handle = openSync(file, 'r')
  try {
    const head = Buffer.alloc(headBytes)
    return head.subarray(0, readFully(handle, head, 0))
  } finally {
    closeSync(handle)
  }
}

/** Text that no signature knows is named by its ending alone, and said so. */
async function* byLibrary(files: Iterable<string>): AsyncGenerator<Identified> {
  for (const file of files) {
    const found = await fileTypeFromBuffer(readHead(file))
    if (found) yield { puid: '', name: found.ext.toUpperCase(), mime: found.mime, basis: 'signature' }
    else
      yield {
        ...unknown,
        name: extname(file).slice(1).toUpperCase(),
        basis: extname(file) === '' ? '' : 'extension',
      }
  }
}

/** A name with a line break cannot stand in a list of names, one a line; such a file stays unknown. */
const fitsList = (file: string) => !/[\r\n]/.test(file)

/** Writes the names for a tool that reads them from a file, one a line, and runs it. */
const runTool = (command: string, args: string[], files: Iterable<string>, list: string) => {
  const names = lineWriter(list)
  for (const file of files) if (fitsList(file)) names.line(file)
  names.close()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  // A tool that cannot be run says nothing; every file stays unknown then.
  child.once('error', () => child.stdout.destroy())
  return child.stdout
}

async function* fido(files: Iterable<string>, list: string): AsyncGenerator<[count: number, Identified]> {
  const fields = ['count', 'puid', 'formatname', 'mimetype', 'matchtype']
    .map((name) => `%(info.${name})s`)
    .join('\t')
  const output = runTool(
    'fido',
    ['-q', '-input', list, '-matchprintf', `${fields}\n`, '-nomatchprintf', ''],
    files,
    list,
  )
  for await (const line of createInterface({ input: output })) {
    const [count, puid = '', name = '', mime = '', basis = ''] = line.split('\t')
    yield [Number(count), { puid: none(puid), name: none(name), mime: none(mime), basis }]
  }
}

const none = (text: string) => (text === 'None' || text === 'UNKNOWN' ? '' : text)

async function* siegfried(
  files: Iterable<string>,
  list: string,
): AsyncGenerator<[count: number, Identified]> {
  const rows = runTool('sf', ['-csv', '-f', list], files, list).pipe(
    parse({ columns: true, relax_column_count: true }),
  )
  let count = 0
  let last = ''
  for await (const row of rows as AsyncIterable<Record<string, string>>) {
    // A file with several matches has several rows.
    if (row['filename'] !== last) count += 1
    last = row['filename'] ?? ''
    yield [
      count,
      {
        puid: none(row['id'] ?? ''),
        name: row['format'] ?? '',
        mime: row['mime'] ?? '',
        basis: row['basis'] ?? '',
      },
    ]
  }
}

/** Brings the records of a tool, which are numbered among the names it was given, into the order of all files; of several matches the first counts. */
async function* inOrder(
  files: Iterable<string>,
  found: AsyncGenerator<[count: number, Identified]>,
): AsyncGenerator<Identified> {
  let next = await found.next()
  let given = 0
  for (const file of files) {
    if (!fitsList(file)) {
      yield unknown
      continue
    }
    given += 1
    while (!next.done && next.value[0] < given) next = await found.next()
    yield !next.done && next.value[0] === given ? next.value[1] : unknown
  }
}

/**
 * Says what files are, one after the other, in their order.
 * @param files gives the same names each time it is asked
 * @param list where names may be written for a tool that reads them from a file
 * @throws where a file cannot be read
 */
export const identify = (
  tool: Tool,
  files: () => Iterable<string>,
  list: string,
): AsyncGenerator<Identified> => {
  if (tool === 'siegfried') return inOrder(files(), siegfried(files(), list))
  return tool === 'fido' ? inOrder(files(), fido(files(), list)) : byLibrary(files())
}
