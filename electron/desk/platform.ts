import type { ApplicationContract, ArchiveContract } from '../contract/index.ts'
import type { Destination } from '../contract/notices.ts'
import type { PaperSize } from '../contract/printing.ts'
import type { Environment } from '../features/diagnostics.ts'
import type { Dialects } from '../dialects/dialects.ts'
import type { SendNews, SendNewsOf } from '../ipc/send-news.ts'
import type { PackagingScripts } from '../packaging/scripts.ts'
import type { StartLocalArchive } from '../archives/archive.ts'
import type { Notice, NoticeMode, NoticeWords } from '../sync/notices.ts'
import type { Vault } from '../vault/vault.ts'

/** What a person may be asked for by the system's own dialog. */
export type Chosen =
  | 'folder'
  | 'files'
  | 'profile'
  | 'descriptive'
  | 'check-folder'
  | 'check-files'
  | 'hand-over'
  | 'take-over'
  | 'table'
  | 'batch-folder'
  | 'searches'

/** What a person may be asked for a place for. */
export type ChosenTarget =
  'findings' | 'report' | 'list' | 'print' | 'searches' | 'journal' | 'file' | 'diagnostics'

/** What the desk is given by whoever runs it: Electron's main process, or a test. */
export interface Platform {
  /** Where everything of this desk lies. */
  folder: string
  version: string
  /** Whether somebody wants to know of newer versions, and where they are said. */
  wantsUpdates: () => boolean
  releases?: string
  /** What goes into the file for whoever helps with this desk. */
  environment: () => Environment
  now: () => Date
  random: () => number
  /** Keeps what went wrong, and gives the reference that a person can name. */
  reportBug: (error: unknown, source?: string) => string
  warn: (source: string, message: string, detail: unknown) => void
  vault: Vault
  startLocalArchive: StartLocalArchive
  /** How the system reaches a URL, in the words of a PAC script: "PROXY proxy.example:8080; DIRECT". */
  resolveProxy: (url: string) => Promise<string>
  language: () => string
  /** What archives may speak; else what the product does. */
  dialects?: Dialects
  /** The scripts of the threads that pack, that read lists and tables, and that answer. */
  scripts: { packaging: PackagingScripts; reading: URL; tables: URL; questions: URL }
  /** Asks the person for folders or files; an empty list when they cancelled. */
  choose: (what: Chosen) => Promise<string[]>
  /** Asks where something is to be saved. */
  chooseTarget: (what: ChosenTarget, name: string) => Promise<string | undefined>
  /** What the window shows, as PDF. */
  printPdf: (size: PaperSize) => Promise<Uint8Array>
  /** The same on paper, by the system's own dialog. Whether it was printed. */
  printPaper: (size: PaperSize) => Promise<boolean>
  /** Asks the system to show a notice. Whether it did. */
  notice: (notice: Notice, clicked: () => void) => Promise<boolean>
  /** Brings the window forward, at a place of an archive. */
  showPlace: (destination: Destination) => void
  /** Brings the window forward, and says that nobody is signed in to an archive. */
  showLost: (archive: string) => void
  noticeMode: () => NoticeMode
  noticeWords: () => NoticeWords
  sendNews: SendNews<ApplicationContract>
  sendNewsOf: SendNewsOf<ArchiveContract>
}
