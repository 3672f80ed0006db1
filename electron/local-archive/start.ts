import { randomBytes } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { background, toProcess } from '../common/background.ts'
import type { CheckScripts } from '../packaging/scripts.ts'
import { openAccounts, type Person } from './accounts.ts'
import { openDatabase, type Database } from './database.ts'
import { fillBare } from './bare.ts'
import { openPackageFiles } from './files/package-files.ts'
import { watchIngest } from './ingest.ts'
import { preservation, tidyWorking } from './preservation.ts'
import { keepPrivate } from './private-files.ts'
import { fillSample } from './sample.ts'
import { indexWhatIsThere } from './search/index-records.ts'
import { textReader } from './search/texts.ts'
import { watchIndex } from './search/watch-index.ts'
import { serve, type Dialect } from './server.ts'
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
  dialect?: Dialect
  /** The script of the thread that reads texts. */
  textWorker: URL
  /** The script of the thread that finds files in packages. */
  filesWorker: URL
  /** The scripts of the threads that check packages. */
  checkScripts: CheckScripts
}

/**
 * Starts the archive in this process, prints one JSON line with its address and accounts when it is ready,
 * and ends with the process. What it cannot take ends in a sentence.
 */
export const startArchive = async ({
  data: place,
  port,
  sample,
  dialect,
  textWorker,
  filesWorker,
  checkScripts,
}: Wanted) => {
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
    if (sample) fillSample(database, first.account, data, folders.ingest)
    else fillBare(database, data, folders.ingest)
  }

  indexWhatIsThere(database)
  const texts = textReader(textWorker)
  const files = openPackageFiles(filesWorker, path.join(data, 'file-index'))
  const { url, stop } = await serve(Number(port), { database, accounts, files, now, dialect })
  const check = strictCheck(checkScripts)
  const rest =
    dialect?.isWatchingIngest === false
      ? undefined
      : watchIngest(folders.ingest, preservation({ database, accounts, folders, texts, check, now }))
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

  const leave = () => {
    background(
      Promise.all([stop(), rest?.(), restOfIndex(), texts.close(), files.close()]).then(() => {
        database.close()
        process.exit(0)
      }),
      toProcess,
    )
  }
  process.once('SIGTERM', leave)
  process.once('SIGINT', leave)
}
