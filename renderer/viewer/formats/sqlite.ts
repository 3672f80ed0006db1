import { Factory } from '@journeyapps/wa-sqlite'
import openModule from '@journeyapps/wa-sqlite/dist/wa-sqlite-jspi.mjs'
import wasm from '@journeyapps/wa-sqlite/dist/wa-sqlite-jspi.wasm?url'
import { Base } from '@journeyapps/wa-sqlite/src/VFS.js'
import type { Content } from '../content.ts'
import { pause } from '../parts/pause.ts'

/** Result codes and flags of SQLite (sqlite3.h). */
const ok = 0
const ioError = 10
const cannotOpen = 14
const shortRead = 522
const row = 100
const openReadOnly = 1
const openMainDatabase = 0x100
const immutable = 0x2000

export type Value = number | bigint | string | null | Uint8Array

/** Milliseconds after which a question is given up: a view may ask for what never ends. */
const longestQuestion = 20_000
/** Instructions of SQLite between two looks at the clock. */
const instructions = 500_000
const cacheKibibytes = 16_384

/** The one file there is; read by parts, never written. */
class FileOfParts extends Base {
  readonly #content: Content
  readonly #memory: () => Uint8Array<ArrayBuffer>
  /** Why the file could not be read for the question that is asked; SQLite knows only that it could not. */
  failure: unknown
  constructor(content: Content, module: { HEAPU8: Uint8Array<ArrayBuffer> }) {
    super('parts', module)
    this.#content = content
    this.#memory = () => module.HEAPU8
  }
  override hasAsyncMethod(method: string) {
    return method === 'xRead'
  }
  override xOpen(_vfs: number, _name: number, _file: number, flags: number, outFlags: number) {
    if ((flags & openMainDatabase) === 0) return cannotOpen
    new DataView(this.#memory().buffer).setInt32(outFlags, openReadOnly | openMainDatabase, true)
    return ok
  }
  override xFullPathname(_vfs: number, _name: number, _length: number, out: number) {
    this.#memory().set(new TextEncoder().encode('database\0'), out)
    return ok
  }
  override xAccess(_vfs: number, _name: number, _flags: number, result: number) {
    new DataView(this.#memory().buffer).setInt32(result, 0, true)
    return ok
  }
  override xFileSize(_file: number, size: number) {
    new DataView(this.#memory().buffer).setBigInt64(size, BigInt(this.#content.bytes), true)
    return ok
  }
  override async xRead(_file: number, into: number, length: number, low: number, high: number) {
    const from = (high >>> 0) * 2 ** 32 + (low >>> 0)
    const bytes = await this.#content.read(from, from + length).catch((error: unknown) => {
      this.failure = error
    })
    if (!bytes) return ioError
    // Memory may have grown meanwhile.
    this.#memory().set(bytes, into)
    this.#memory().fill(0, into + bytes.length, into + length)
    return bytes.length < length ? shortRead : ok
  }
  override xCheckReservedLock(_file: number, result: number) {
    new DataView(this.#memory().buffer).setInt32(result, 0, true)
    return ok
  }
  /** Nothing else can change it: no lock is taken, no journal looked for. */
  override xDeviceCharacteristics() {
    return immutable
  }
}

/** A question of SQL, and what is bound in it. */
export type Ask = (sql: string, ...bound: (string | number | bigint)[]) => Promise<Value[][]>

/**
 * Opens a database by parts, to be read alone. Nothing of it is run: no trigger, no function that its schema
 * names, no extension.
 * @returns asks it; one question after the other. @throws Error in words of SQLite
 */
export const openSqlite = async (content: Content, signal: AbortSignal): Promise<Ask> => {
  const module = await openModule({ locateFile: () => wasm })
  const sqlite = Factory(module)
  const file = new FileOfParts(content, module)
  sqlite.vfs_register(file, true)
  const database = await sqlite.open_v2('database', openReadOnly, 'parts')
  let end = 0
  const isOver = async () => {
    await pause()
    return signal.aborted || Date.now() > end ? 1 : 0
  }
  sqlite.progress_handler(database, instructions, isOver, undefined)
  const run: Ask = async (sql, ...bound) => {
    end = Date.now() + longestQuestion
    file.failure = undefined
    const rows: Value[][] = []
    for await (const statement of sqlite.statements(database, sql)) {
      sqlite.bind_collection(statement, bound)
      while ((await sqlite.step(statement)) === row)
        rows.push(
          Array.from({ length: sqlite.column_count(statement) }, (_, column) =>
            valueOf(sqlite.column(statement, column)),
          ),
        )
    }
    return rows
  }
  let before: Promise<unknown> = Promise.resolve()
  const ask: Ask = (sql, ...bound) => {
    const answer = before.then(() =>
      run(sql, ...bound).catch((error: unknown) => {
        throw file.failure instanceof Error ? file.failure : error
      }),
    )
    before = answer.catch(() => undefined)
    return answer
  }
  await ask('PRAGMA trusted_schema = OFF')
  await ask('PRAGMA cell_size_check = ON')
  await ask(`PRAGMA cache_size = -${cacheKibibytes}`)
  await ask('PRAGMA temp_store = MEMORY')
  return ask
}

/** What lies in the memory of SQLite is copied out of it. */
const valueOf = (value: number | bigint | string | null | Uint8Array | number[]): Value =>
  value instanceof Uint8Array || Array.isArray(value) ? new Uint8Array(value) : value

/** A name as SQL has it. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
