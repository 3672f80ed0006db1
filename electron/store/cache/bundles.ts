import { randomInt } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { codeOf } from '../../common/errors.ts'
import { prepare } from '../../common/statements.ts'
import type { Writer } from './writer.ts'

/**
 * Texts of records that are kept as one, since each alone would take five times as much of the disk, and as
 * much longer to be written.
 */
export interface Bundle {
  /** No other one ever has it: whoever knows what stood in a bundle is never given that for another. */
  number: number
  /** By Zstandard (RFC 8878), with its checksum. */
  bytes: Uint8Array
}

/** Where in a bundle the text of a record lies, in bytes. */
export interface Piece {
  bundle: Bundle
  start: number
  length: number
}

/** A row of `held` leaves its text to a bundle, which goes with the last of them. */
export const bundleTables = `
  create table bundle (number integer primary key, bytes blob not null) strict;
  alter table held add column bundle integer;
  alter table held add column start integer;
  alter table held add column length integer;
  create index held_by_bundle on held (bundle) where bundle is not null;
  create trigger held_left_bundle after update of bundle on held
    when old.bundle is not null and new.bundle is not old.bundle begin
    delete from bundle where number = old.bundle
      and not exists (select 1 from held where bundle = old.bundle); end;
  create trigger held_went_from_bundle after delete on held when old.bundle is not null begin
    delete from bundle where number = old.bundle
      and not exists (select 1 from held where bundle = old.bundle); end;`

/** The column `raw` of a row of `held`: null where it lies in a bundle that cannot be read. */
export const recordText = 'iif(bundle is null, raw, bundled(bundle, start, length)) as raw'

const mostNumbers = 2 ** 48 - 1
/** More would be smaller by little, and take longer than writing it. */
const compression = {
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_checksumFlag]: 1,
}
/** Most bundles are as long as what of a body is read at a time. */
const chunkSize = 512 * 1024

/** What Zstandard says of bytes; that there was no memory for them says nothing of them. */
const isDamage = (error: unknown) =>
  /^Z(STD|_BUF)_/.test(codeOf(error)) && codeOf(error) !== 'ZSTD_error_memory_allocation'

const unpacked = (bytes: Uint8Array): Buffer | undefined => {
  try {
    return zstdDecompressSync(bytes, { chunkSize })
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

const textIn = (all: Buffer | undefined, start: number, length: number): string | undefined =>
  all && start + length <= all.length ? all.toString('utf8', start, start + length) : undefined

/** @throws Error where it is damaged, which it is not in the memory it was made in */
export const pieceText = ({ bundle, start, length }: Piece): string => {
  const found = textIn(unpacked(bundle.bytes), start, length)
  if (found === undefined) throw new Error('A bundle that was just made cannot be read.')
  return found
}

const emptyBundle = (): Bundle => ({ number: randomInt(1, mostNumbers), bytes: new Uint8Array() })

/** Puts texts into bundles, one after the other. */
export const openBundler = () => {
  // One piece of memory for all of them: what is allocated for each text has to be collected again.
  let texts = Buffer.allocUnsafeSlow(chunkSize)
  let end = 0
  let bundle = emptyBundle()
  return {
    /** @param text in UTF-8; its memory may be used again */
    add: (text: Uint8Array): Piece => {
      const start = end
      end += text.length
      if (end > texts.length) texts = Buffer.concat([texts.subarray(0, start)], 2 * end)
      texts.set(text, start)
      return { bundle, start, length: text.length }
    },
    /** Only from now on the bundle holds what was put into it; what comes belongs to another one. */
    close: () => {
      if (end > 0) bundle.bytes = zstdCompressSync(texts.subarray(0, end), { params: compression })
      bundle = emptyBundle()
      end = 0
    },
  }
}

/** Gives SQL the word bundled(number, start, length): a text, or null where its bundle cannot be read. */
export const defineBundled = (database: DatabaseSync) => {
  const bytesOf = prepare<{ bytes: Uint8Array }>(database, 'select bytes from bundle where number = ?')
  /** The one that was asked for last: who reads one record after the other asks for it again. */
  let last: { number: number; all: Buffer | undefined } | undefined
  const allOf = (number: number) => {
    const bytes = bytesOf.get(number)?.bytes
    return bytes && unpacked(bytes)
  }
  database.function('bundled', (number, start, length) => {
    if (last?.number !== number) last = { number: Number(number), all: allOf(Number(number)) }
    return textIn(last.all, Number(start), Number(length)) ?? null
  })
}

/** Sees to that a record whose bundle cannot be read is read anew when its list is, with the others in it. */
export const openMending = (database: DatabaseSync) => {
  const forgetDigests = database.prepare(
    `update element set digest = x'', bytes = 0 where number in
      (select element from held where bundle = (select bundle from held where number = ?))`,
  )
  return (number: number) => void forgetDigests.run(number)
}

/** Writes bundles as their first pieces are needed. */
export const openBundles = ({ database, takenBack }: Pick<Writer, 'database' | 'takenBack'>) => {
  const add = database.prepare('insert into bundle (number, bytes) values (?, ?) on conflict do nothing')
  let held: { bundle: Bundle; takenBack: number } | undefined
  return {
    /** Sees to that the bundle of a piece is held; part of the transaction that refers to it. */
    hold: ({ bundle }: Piece) => {
      const { times } = takenBack()
      if (held?.bundle === bundle && held.takenBack === times) return
      add.run(bundle.number, bundle.bytes)
      held = { bundle, takenBack: times }
    },
    /** A row left its bundle, which may have gone with it. */
    left: () => {
      held = undefined
    },
  }
}
