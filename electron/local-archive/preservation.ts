import { existsSync, rmSync } from 'node:fs'
import { lstat, readdir, rename, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { codeOf } from '../common/errors.ts'
import type { Accounts } from './accounts/accounts.ts'
import type { Database } from './database.ts'
import { freeBytes } from './disk-space.ts'
import { enterInGroups } from './enter-in-groups.ts'
import { enterPackage } from './enter-package.ts'
import { notify, writeEvent } from './events.ts'
import { inGroups } from './in-groups.ts'
import type { IntakeThread } from './intake/intake-thread.ts'
import { openJobs, type Job } from './jobs.ts'
import { openLeftovers } from './leftovers.ts'
import { InvalidPackage } from './payload.ts'
import { placesOf, policyOf } from './places.ts'
import { prepareFiles } from './search/prepare-files.ts'
import type { textReader } from './search/texts.ts'
import { staggered } from './semaphore.ts'
import type { StrictCheck } from './strict-check.ts'
import { isOutOfFiles, isOutOfSpace, NoSpace } from './system-error.ts'
import { openReceived, type OpenedPackage } from './unpack.ts'

const unpacked = '.unpacked'
/**
 * Each check takes some 30 MB: a second begins beside one that is long, and many short ones need none. What
 * comes later is entered after it all the same, and a disk may hold a short one up for a moment.
 */
const mostChecked = Math.min(2, availableParallelism())
const longCheckMs = 1_000
/** Packages up to this size are written side by side, however many were checked; larger ones are not. */
const small = { files: 1_000, bytes: 1024 * 1024 }
const nothing = { files: 0, bytes: 0 }
/** One that comes alone waits for no commit but its own. */
const betweenCommitsMs = 50
/** So many are received at once. */
const mostInGroup = 32

/** @throws where that cannot be known */
const exists = (file: string) =>
  lstat(file).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    },
  )

const troubleInWords = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (isOutOfFiles(error)) return 'The archive can open no more files.'
  if (isOutOfSpace(error) && !(error instanceof NoSpace))
    return 'There is no room left on the disk of the archive.'
  return error.message
}

export interface PreservationParts {
  database: Database
  accounts: Accounts
  folders: { ingest: string; working: string; setAside: string }
  texts: ReturnType<typeof textReader>
  check: StrictCheck
  now: () => Date
  intake: IntakeThread
  /** Whether what is told of a preserved package counts as read. */
  isSeen?: boolean
  /** What else is written at once with a preserved package. */
  withPackage?: () => void
}

/**
 * The transfer that a package belongs to (its own name or what it says of itself), who sent it, and how
 * events speak of both.
 */
const concerning = ({ database, accounts }: PreservationParts, name: string, named: string) => {
  const transfer = [named, path.parse(name).name, name]
    .map((id) => (id === '' ? undefined : database.one('transfer', id)))
    .find((found) => found !== undefined)
  const sender = (transfer ? accounts.byId(Number(transfer['sender'])) : undefined) ?? accounts.first()
  if (!sender) throw new Error('The archive has no account.')
  const aboutTransfer = {
    by: String(sender.user['username']),
    transfer: transfer && String(transfer['id']),
    delivery: transfer && Number(transfer['delivery']),
  }
  return { transfer, sender, aboutTransfer }
}

/** What the steps of the preservation share: the jobs, and what is done for many of them at once. */
const openWorkplace = (parts: PreservationParts) => {
  const { database, folders, intake, now } = parts
  const folderOf = (job: Job) => path.join(folders.working, job.id)
  return {
    jobs: openJobs(database, now),
    folderOf,
    receivedOf: (job: Job) => path.join(folderOf(job), job.name),
    receive: inGroups(intake.receive, mostInGroup),
    fingerprintOf: inGroups(intake.fingerprintOf, mostInGroup),
    leftovers: openLeftovers(
      async (left) => {
        const outcomes = await intake.remove(left)
        for (const [index, outcome] of outcomes.entries()) {
          if (outcome.status === 'fulfilled') continue
          console.error(`What is left in ${left[index]} could not be removed:`, outcome.reason)
        }
      },
      () => freeBytes(folders.working),
    ),
    /** What the next transaction brings to the disk. */
    prepare: enterInGroups(database.preparation),
    enter: enterInGroups(database.transaction, betweenCommitsMs),
    beginCheck: staggered(mostChecked, longCheckMs),
  }
}
type Workplace = ReturnType<typeof openWorkplace>

/** Takes what came out of the ingest folder. */
const receive = async (parts: PreservationParts, workplace: Workplace, job: Job) => {
  const { database, folders, now } = parts
  const { jobs, receivedOf } = workplace
  const waiting = path.join(folders.ingest, job.name)
  if (!(await workplace.receive({ waiting, received: receivedOf(job) }))) return jobs.end(job)
  const { aboutTransfer } = concerning(parts, job.name, '')
  try {
    await workplace.prepare(() => {
      jobs.move(job, 'working')
      writeEvent(database, now(), 30000, { ...aboutTransfer, note: `Received ${job.name}` })
    })
  } catch (error) {
    // What was taken back has not happened: it is received once more from where it lies now, and told then.
    job.stage = 'moving'
    throw error
  }
}

/**
 * Writes the copies of a package.
 * @returns what enters everything that is said of it, and how much payload it has
 */
const copy = async (
  parts: PreservationParts,
  { prepare }: Workplace,
  job: Job,
  { folder, fingerprint, checked }: OpenedPackage,
) => {
  const { database, intake, texts, now } = parts
  const { record } = checked
  const { transfer, sender, aboutTransfer } = concerning(parts, job.name, record.transfer)
  const identifier = record.identifier || path.parse(job.name).name
  const label = record.name || (transfer && String(transfer['name'])) || identifier
  const made = now()
  const places = placesOf(database, policyOf(database))
  const copies = places.map(({ medium, target }) => ({
    medium: String(medium['medium_id']),
    file: path.join(String(target['target']), String(medium['medium_id']), `${job.package}.tar`),
  }))
  const copied = await intake.copy({
    folder,
    fingerprint,
    payloadPaths: checked.format.payloadPaths,
    counted: { files: checked.files, bytes: checked.bytes },
    name: job.package,
    copies,
    about: { identifier, label, made, by: String(sender.user['username']) },
  })
  const enterFiles = await prepareFiles(database, {
    of: job.package,
    files: copied.payload,
    read: (name) => texts.read(path.join(folder, name), name),
    prepare,
  })
  const enter = () => {
    enterFiles()
    enterPackage(database, now, {
      id: job.package,
      identifier,
      label,
      made,
      responsible: sender.user,
      transfer,
      about: aboutTransfer,
      checked,
      copied,
      places,
      copies,
      isSeen: parts.isSeen,
    })
  }
  return { counted: checked, enter }
}

/**
 * Unpacks, checks and copies what was received; a verdict on it refuses it.
 * @returns what enters it; undefined where it was refused
 */
const copyReceived = async (parts: PreservationParts, workplace: Workplace, job: Job) => {
  const { jobs, folderOf, receivedOf } = workplace
  const scratch = path.join(folderOf(job), unpacked)
  let leaveCheck: (() => void) | undefined
  /** Waits only now for its place: what is known before a check is known of many packages at once. */
  const check: StrictCheck = async (file) => {
    leaveCheck ??= await workplace.beginCheck()
    return parts.check(file)
  }
  try {
    const opened = await openReceived(receivedOf(job), scratch, check, workplace.fingerprintOf)
    const { files, bytes } = opened.checked
    if (files <= small.files && bytes <= small.bytes) leaveCheck?.()
    return await copy(parts, workplace, job, opened)
  } catch (error) {
    if (!(error instanceof InvalidPackage)) throw error
    jobs.move(job, 'refused', error.message)
    return undefined
  } finally {
    leaveCheck?.()
    // What was unpacked gives its space back, also where there was too little.
    if (existsSync(scratch)) await rm(scratch, { recursive: true, force: true })
  }
}

/** Puts what was refused aside. */
const setAside = async ({ folders }: PreservationParts, { receivedOf }: Workplace, job: Job) => {
  const aside = path.join(folders.setAside, job.name)
  if (await exists(receivedOf(job)))
    await rename(receivedOf(job), (await exists(aside)) ? `${aside} ${job.id}` : aside)
}

/** Says why it was. Call it inside a transaction. */
const enterRefusal = (parts: PreservationParts, job: Job) => {
  const { database, now } = parts
  const { transfer, sender, aboutTransfer } = concerning(parts, job.name, '')
  writeEvent(database, now(), 20800, { ...aboutTransfer, failed: true, note: job.reason ?? '' })
  const name = transfer ? String(transfer['name']) : job.name
  const message = `${name} was not accepted: ${job.reason ?? ''}`
  notify(database, now(), sender.user, 'error', message.slice(0, 255))
}

/** When a package is entered, so that packages become generations in the order in which they came. */
export interface Turn {
  /** Settled once what came before it is entered in its turn. */
  before: Promise<unknown>
  /** Says that it is. */
  pass: () => void
}
const noTurn: Turn = { before: Promise.resolve(), pass: () => undefined }

/**
 * Turns packages that arrive in the ingest folder into preserved packages. Every step is written down before
 * it is taken, so that a process killed at any moment goes on or takes back when it starts again; a package
 * is shown once all its copies are there. Of many packages at once, what is written for one goes to the disk
 * with what is written for the others.
 */
export const preservation = (parts: PreservationParts) => {
  const { database, now, intake } = parts
  const workplace = openWorkplace(parts)
  const { jobs, folderOf } = workplace

  const report = (name: string, note: string) => {
    const { sender, aboutTransfer } = concerning(parts, name, '')
    writeEvent(database, now(), 30000, { ...aboutTransfer, failed: true, note })
    notify(database, now(), sender.user, 'error', note.slice(0, 255))
  }

  /** Preserves or refuses it, in its turn. @returns how much payload of it is left */
  const settle = async (job: Job, { before, pass }: Turn) => {
    const copied = job.stage === 'working' ? await copyReceived(parts, workplace, job) : undefined
    await before
    // What is refused is put aside in turn too: two may have one name.
    if (!copied) await setAside(parts, workplace, job)
    const entered = workplace.enter(() => {
      if (copied) {
        copied.enter()
        parts.withPackage?.()
      } else enterRefusal(parts, job)
      jobs.end(job)
    })
    pass()
    await entered
    return copied?.counted ?? nothing
  }

  return {
    /** Works on a package until it is where it belongs; what is left is for `removeLeft`. */
    work: async (job: Job, turn = noTurn) => {
      if (job.stage === 'moving') await receive(parts, workplace, job)
      const left = job.stage === 'moving' ? nothing : await settle(job, turn)
      await workplace.leftovers.add(folderOf(job), left)
    },
    /** Removes some of what is left of packages. @returns false where nothing was */
    removeLeft: workplace.leftovers.removeSome,
    inspect: intake.inspect,
    jobs: jobs.open,
    begin: jobs.begin,
    /** Many at once are written down at once. */
    beginAll: (names: string[]) =>
      database.transaction(() => {
        for (const name of names) jobs.begin(name)
      }),
    takeBack: jobs.takeBack,
    /**
     * A trouble of the computer or of the archive: no verdict on the package, told once, and tried again
     * later.
     */
    postpone: (job: Job, error: unknown) => {
      console.error(`The package ${job.name} could not be worked on:`, error)
      // Why one is refused is told when it can be put aside, and nothing takes the place of that.
      if (job.stage === 'refused') return
      const trouble = troubleInWords(error)
      if (job.reason === trouble) return
      database.transaction(() => {
        jobs.move(job, job.stage, trouble)
        report(job.name, `${job.name} waits and is tried again: ${trouble}`)
      })
    },
    /** Tells once of an entry of the ingest folder that cannot be taken. */
    leave: (name: string, reason: string) => {
      if (jobs.reasonLeft(name) === reason) return
      database.transaction(() => {
        jobs.leave(name, reason)
        report(name, `${name} is left in the ingest folder: ${reason}`)
      })
    },
  }
}

/**
 * Removes what earlier processes left: folders of jobs that are over, and what was unpacked. Nothing is
 * written before. Of small packages they may be thousands: plain calls, since nobody waits for a turn yet.
 */
export const tidyWorking = async ({ sqlite }: Database, working: string) => {
  const known = new Set(
    sqlite
      .prepare('select id from job')
      .all()
      .map(({ id }) => String(id)),
  )
  for (const name of await readdir(working))
    rmSync(path.join(working, name, ...(known.has(name) ? [unpacked] : [])), { recursive: true, force: true })
}
