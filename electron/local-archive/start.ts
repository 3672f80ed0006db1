import { randomBytes } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { background, toProcess } from '../common/background.ts'
import type { CheckScripts } from '../packaging/scripts.ts'
import { openAccounts, type Account, type Person } from './accounts/accounts.ts'
import { openDatabase, type Database } from './database.ts'
import { fillEmptyArchive } from './empty-archive.ts'
import { endWhenTold } from './end-when-told.ts'
import { openPackageFiles } from './files/package-files.ts'
import { watchIngest } from './ingest.ts'
import { openIntakeThread } from './intake/intake-thread.ts'
import { fillDaysBefore } from './sample/practice-day.ts'
import { preservePractice } from './sample/practice.ts'
import { preservation, tidyWorking, type PreservationParts } from './preservation.ts'
import { keepPrivate } from './private-files.ts'
import { fillSample } from './sample/sample.ts'
import { indexWhatIsThere } from './search/index-records.ts'
import { textReader } from './search/texts.ts'
import { watchIndex } from './search/watch-index.ts'
import { serve, type Dialect } from './http/server.ts'
import { strictCheck } from './strict-check.ts'
import { codeOf, messageOf } from '../common/errors.ts'

/** Who works in every archive of this kind. The first is the account that the line of readiness names. */
const people: Person[] = [
  { username: 'archivist', role: 'archivist', first: 'Reading', last: 'Room', email: 'archivist@localhost' },
  {
    username: 'administrator',
    role: 'administrator',
    first: 'System',
    last: 'Office',
    email: 'administrator@localhost',
  },
  { username: 'reader', role: 'reader', first: 'Desk', last: 'Reader', email: 'reader@localhost' },
]

/** Whether a file is there that cannot be written; SQLite speaks of an I/O error then. */
const isReadOnly = (file: string): boolean => {
  try {
    accessSync(file, constants.W_OK)
    return false
  } catch (error) {
    return codeOf(error) !== 'ENOENT'
  }
}

const open = (data: string): Database => {
  try {
    return openDatabase(data)
  } catch (error) {
    if (messageOf(error).includes('locked'))
      throw new Error(`Another archive already works in ${data}.`, { cause: error })
    if (isReadOnly(data) || isReadOnly(path.join(data, 'archive.sqlite')))
      throw new Error(`The archive in ${data} can only be read, and an archive writes.`, { cause: error })
    throw new Error(`The archive in ${data} cannot be opened: ${messageOf(error)}`, { cause: error })
  }
}

/** What a command line says of an archive. */
interface Wanted {
  data?: string | undefined
  /** 0 takes any free port. */
  port: string
  /** Whether an empty archive is filled with the sample holdings. */
  sample: boolean
  /** Whether it is one to practise in: with the sample holdings, a day's work, and packages with files. */
  practice?: boolean
  /** The folder with those files. */
  sampleFiles?: URL
  dialect?: Dialect
  /** The script of the thread that reads texts. */
  textWorker: URL
  /** The script of the thread that finds files in packages. */
  filesWorker: URL
  /** The script of the thread that works on the files of packages that come in. */
  intakeWorker: URL
  /** The scripts of the threads that check packages. */
  checkScripts: CheckScripts
}

/**
 * Preserves the packages to practise with where there are to be any, and then what arrives in the ingest
 * folder: both work on jobs, so that one comes after the other.
 * @returns how to stop; the work at hand is finished first
 */
const takeIn = (
  parts: PreservationParts,
  account: Account,
  isWatching: boolean,
  sampleFiles: URL | undefined,
) => {
  const stopping = new AbortController()
  const practised = sampleFiles
    ? preservePractice(parts, account, fileURLToPath(sampleFiles), stopping.signal).catch((error: unknown) =>
        console.error('The packages to practise with cannot be preserved:', error),
      )
    : Promise.resolve()
  const watching = practised.then(() =>
    isWatching && !stopping.signal.aborted
      ? watchIngest(parts.folders.ingest, preservation(parts))
      : undefined,
  )
  return async () => {
    stopping.abort()
    await (
      await watching
    )?.()
  }
}

/**
 * Starts the archive in this process, prints one JSON line with its address and accounts when it is ready,
 * and ends with the process. What it cannot take ends in a sentence.
 */
export const startArchive = async ({
  data: place,
  port,
  sample,
  practice = false,
  sampleFiles,
  dialect,
  textWorker,
  filesWorker,
  intakeWorker,
  checkScripts,
}: Wanted) => {
  const endsWith = endWhenTold()
  if (place === undefined) throw new Error('Say where the archive keeps its files: --data DIR')
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535)
    throw new Error(`“${port}” is not a port: give a number up to 65535.`)
  const data = path.resolve(place)
  const folders = {
    ingest: path.join(data, 'ingest'),
    working: path.join(data, 'working'),
    setAside: path.join(data, 'set-aside'),
  }
  await mkdir(data, { recursive: true })
  await keepPrivate(data)
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true })

  const now = () => new Date()
  const database = open(data)
  await tidyWorking(database, folders.working).catch((error: unknown) =>
    console.error('What an earlier run left cannot be removed:', error),
  )
  const accounts = openAccounts(database, now)
  const everybody = [...people, ...(dialect?.people ?? [])]
  const [first, ...others] = everybody.map(({ username, role, ...names }) => {
    const password = randomBytes(12).toString('base64url')
    return { account: accounts.keep(username, password, names, role), username, password }
  })
  if (!first) throw new Error('The archive has no account.')
  if (database.list('storage policy').length === 0) {
    if (sample || practice) fillSample(database, first.account, data, folders.ingest)
    else fillEmptyArchive(database, data, folders.ingest)
    if (practice) database.transaction(() => fillDaysBefore(database, first.account, now()))
  }

  indexWhatIsThere(database)
  const texts = textReader(textWorker)
  const files = openPackageFiles(filesWorker, path.join(data, 'file-index'))
  const { url, stop } = await serve(Number(port), { database, accounts, files, now, dialect })
  const intake = openIntakeThread(intakeWorker)
  const parts = { database, accounts, folders, texts, check: strictCheck(checkScripts), intake, now }
  const rest = takeIn(
    parts,
    first.account,
    dialect?.isWatchingIngest !== false,
    practice ? sampleFiles : undefined,
  )
  const restOfIndex = watchIndex(database)
  const { username, password } = first
  console.log(
    JSON.stringify({
      url,
      username,
      password,
      others: others.map((account) => ({ username: account.username, password: account.password })),
    }),
  )

  endsWith(() => {
    background(
      Promise.all([stop(), rest(), restOfIndex(), files.close()])
        // What is under way needs both to its end.
        .then(() => Promise.all([intake.close(), texts.close()]))
        .then(() => {
          database.close()
          process.exit(0)
        }),
      toProcess,
    )
  })
}
