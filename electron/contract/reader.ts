import * as v from 'valibot'
import { command, news } from './define.ts'
import { recordId } from './record-id.ts'

/** A file of a package that is being looked at. */
export interface OpenedFile {
  /** Under it the viewer reads the bytes; nobody can guess it, and it is gone when the file is closed. */
  key: string
  bytes: number
  /**
   * Whether the archive gives parts of it. Where it does not, the whole is fetched to this computer while the
   * file is open, and `arrived` says how far that is.
   */
  isByParts: boolean
}

/** How much of a file has come that an archive gives only whole. */
export interface ArrivedPart {
  key: string
  bytes: number
  total: number
}

const Key = v.object({ key: v.pipe(v.string(), v.maxLength(200)) })

/** Looking at files of packages, by parts, in a frame that has neither bridge nor network. */
export const reader = {
  /** Opens a file of a package; `path` as in `files.list`. */
  open: command(
    v.object({ package: recordId, path: v.pipe(v.string(), v.minLength(1), v.maxLength(4_000)) }),
  ).returns<OpenedFile>(),
  close: command(Key).returns<void>(),
  arrived: news<ArrivedPart>(),
}
