import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Accounts } from './accounts.ts'
import { isTape, storage, type EventCode } from './codes.ts'
import type { Body, Database } from './database.ts'
import { notify, writeEvent } from './events.ts'
import { writeMets } from './mets.ts'
import { InvalidPackage, type ReceivedPackage } from './payload.ts'
import { addPackage, nextGeneration } from './packages.ts'
import { needRoom } from './room.ts'
import { isOutOfFiles, isOutOfRoom, NoRoom } from './system-error.ts'
import { indexDocuments, keepText, listFiles } from './search/index-records.ts'
import type { textReader } from './search/texts.ts'
import type { StrictCheck } from './strict-check.ts'
import { openReceived } from './unpack.ts'
import { removeCopies, writeCopies } from './write-copies.ts'
import { prepare } from '../common/statements.ts'
import { idsIn } from './body-values.ts'

/**
 * A package on its way in; `package` is the id that its AIP will have. A job that is left is none: an entry
 * that cannot be taken, and why; it is kept so that this is told once.
 */
export interface Job {
  id: string
  name: string
  package: string
  stage: 'moving' | 'working' | 'refused' | 'left'
  reason: string | null
}

const unpacked = '.unpacked'
/** What a copy holds of a file beside its content: its name in the tar and in the METS. */
const perFileBytes = 2048

/** A medium that takes new copies, and the target it belongs to. */
interface Place {
  medium: Body
  target: Body
}

/** @throws where that cannot be known */
const exists = (file: string) =>
  lstat(file).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
      throw error
    },
  )

/** The writable medium of every enabled target that the policy's enabled methods reach. */
export const placesOf = (database: Database, policy: Body): Place[] =>
  idsIn(policy['storage_methods'])
    .map((id) => database.one('storage method', id))
    .filter((method) => method?.['enabled'] === true)
    .flatMap((method) => database.where('storage relation', 'storage_method', String(method?.['id'])))
    .filter((relation) => relation['status'] === 1)
    .map((relation) => database.one('storage target', String(relation['storage_target'])))
    .filter((target) => target !== undefined)
    .filter((target) => target['status'] === true)
    .map((target) => {
      const medium = database
        .where('storage medium', 'storage_target', String(target['id']))
        .find((medium) => medium['status'] === 20)
      if (!medium) throw new Error(`The target ${String(target['name'])} has no medium that can be written.`)
      return { medium, target }
    })

const troubleInWords = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (isOutOfFiles(error)) return 'The archive can open no more files.'
  if (isOutOfRoom(error) && !(error instanceof NoRoom))
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
  /** Whether what is told of a preserved package counts as read. */
  isSeen?: boolean
  /** What else is written at once with a preserved package. */
  withPackage?: () => void
}

/** The jobs as they are written down; a job that is changed is changed in the table at once. */
const openJobs = ({ sqlite }: Database, now: () => Date) => ({
  open: () => prepare<Job>(sqlite, `select * from job where stage <> 'left' order by made, rowid`).all(),
  move: (job: Job, stage: Job['stage'], reason: string | null = null) => {
    sqlite.prepare('update job set stage = ?, reason = ? where id = ?').run(stage, reason, job.id)
    Object.assign(job, { stage, reason })
  },
  end: (job: Job) => {
    sqlite.prepare('delete from job where id = ?').run(job.id)
  },
  /** @param id that the package will have */
  begin: (name: string, id: string = randomUUID()): Job => {
    const job: Job = { id: randomUUID(), name, package: id, stage: 'moving', reason: null }
    sqlite
      .prepare(`insert into job (id, name, package, stage, reason, made) values (?, ?, ?, 'moving', null, ?)`)
      .run(job.id, name, id, now().toISOString())
    return job
  },
  /** Why an entry is left in the ingest folder, where that was told. */
  reasonLeft: (name: string) =>
    sqlite.prepare(`select reason from job where stage = 'left' and name = ?`).get(name)?.['reason'],
  leave: (name: string, reason: string) => {
    sqlite.prepare(`delete from job where stage = 'left' and name = ?`).run(name)
    sqlite
      .prepare(`insert into job (id, name, package, stage, reason, made) values (?, ?, '', 'left', ?, ?)`)
      .run(randomUUID(), name, reason, now().toISOString())
  },
  /** Forgets entries that are gone or can be taken now. */
  takeBack: (left: Map<string, string>) => {
    for (const { name } of sqlite.prepare(`select name from job where stage = 'left'`).all())
      if (!left.has(String(name)))
        sqlite.prepare(`delete from job where stage = 'left' and name = ?`).run(String(name))
  },
})

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

const policyOf = (database: Database): Body => {
  const policy = database.list('storage policy').find((one) => one['policy_stat'] === true)
  if (!policy) throw new Error('The archive has no active storage policy.')
  return policy
}

/**
 * Where the copies of a package go; what an interrupted writing left there is removed, and room is looked
 * for.
 */
const prepareCopies = async ({ database }: PreservationParts, job: Job, received: ReceivedPackage) => {
  const places = placesOf(database, policyOf(database))
  const copies = places.map(({ medium, target }) => ({
    medium: String(medium['medium_id']),
    file: path.join(String(target['target']), String(medium['medium_id']), `${job.package}.tar`),
  }))
  await removeCopies(copies)
  for (const { target } of places) await mkdir(String(target['target']), { recursive: true })
  await needRoom(
    places.map(({ target }) => ({
      folder: String(target['target']),
      bytes: received.bytes + received.payload.length * perFileBytes,
    })),
    'for the copies',
  )
  return { places, copies }
}

/** A copy as storage has it, and what it takes of its medium. */
const recordCopy = (
  database: Database,
  { medium, target }: Place,
  copy: { package: string; file: string | undefined; bytes: number; time: string },
) => {
  database.put('storage object', {
    id: randomUUID(),
    content_location_type: isTape(target['type']) ? storage.tape : storage.disk,
    content_location_value: copy.file,
    last_changed_local: copy.time,
    last_changed_external: null,
    ip: copy.package,
    medium_id: medium['medium_id'],
    target_name: target['name'],
    target_target: target['target'],
    storage_medium: medium['id'],
    container: true,
  })
  // Others may have been written to it meanwhile.
  const written = database.one('storage medium', String(medium['id'])) ?? medium
  database.put('storage medium', {
    ...written,
    used_capacity: Number(written['used_capacity']) + copy.bytes,
  })
}

/**
 * Writes the copies of a package, then, after `before`, everything that is said of it in one transaction:
 * from then on it is shown.
 */
const preserve = async (
  parts: PreservationParts,
  job: Job,
  { received, folder }: Awaited<ReturnType<typeof openReceived>>,
  before: Promise<unknown>,
  end: () => void,
) => {
  const { database, texts, now } = parts
  const { transfer, sender, aboutTransfer } = concerning(parts, job.name, received.record.transfer)
  const identifier = received.record.identifier || path.parse(job.name).name
  const label = received.record.name || (transfer && String(transfer['name'])) || identifier
  const made = now()
  const { places, copies } = await prepareCopies(parts, job, received)
  const mets = await writeMets({
    identifier,
    label,
    made,
    by: String(sender.user['username']),
    files: received.payload,
  })
  await listFiles(database, job.package, received.payload)
  for (const { name } of received.payload) {
    const text = await texts.read(path.join(folder, name), name)
    if (text !== '') keepText(database, job.package, name, text)
  }
  const written = await writeCopies({ folder, payload: received.payload }, job.package, copies, [
    { name: 'mets.xml', text: mets },
  ])
  await before
  const event = (code: EventCode, note: string) =>
    writeEvent(database, now(), code, { ...aboutTransfer, package: job.package, note })

  database.transaction(() => {
    const generation = nextGeneration(database, identifier)
    const aip = addPackage(database, {
      id: job.package,
      identifier,
      label,
      generation,
      made,
      responsible: sender.user,
      transfer,
      record: received.record,
      provenance: received.provenance,
      items: received.payload.length,
      tar: { ...written, path: copies[0]?.file ?? '' },
      mets,
      policy: policyOf(database),
    })
    const producer =
      transfer && database.one('delivery', String(transfer['delivery']))?.['producer_organization']
    indexDocuments(aip, typeof producer === 'string' ? [producer] : [], database)
    event(
      50230,
      `The package is complete and valid: ${received.payload.length} files, ${received.bytes} bytes`,
    )
    event(50400, `Written as ${job.package}.tar, ${written.bytes} bytes, sha256 ${written.sha256}`)
    event(30200, `Generation ${generation} of ${identifier}`)
    places.forEach((place, index) => {
      const time = now().toISOString()
      const file = copies[index]?.file
      recordCopy(database, place, { package: job.package, file, bytes: written.bytes, time })
      event(
        isTape(place.target['type']) ? 40700 : 40600,
        `Written to ${String(place.medium['medium_id'])}, read back and equal`,
      )
    })
    event(30300, `Preserved in ${copies.length} copies`)
    notify(
      database,
      now(),
      sender.user,
      'success',
      `${String(aip['label'])} (${identifier}) is now preserved`,
      parts.isSeen,
    )
    parts.withPackage?.()
    end()
  })
}

/** The jobs, and where each keeps what it works on. */
const openWorkplace = (parts: PreservationParts) => {
  const folderOf = (job: Job) => path.join(parts.folders.working, job.id)
  return {
    jobs: openJobs(parts.database, parts.now),
    folderOf,
    receivedOf: (job: Job) => path.join(folderOf(job), job.name),
  }
}
type Workplace = ReturnType<typeof openWorkplace>

/** Takes what came out of the ingest folder. */
const receive = async (parts: PreservationParts, { jobs, folderOf, receivedOf }: Workplace, job: Job) => {
  const { database, folders, now } = parts
  await mkdir(folderOf(job), { recursive: true })
  const waiting = path.join(folders.ingest, job.name)
  if (!(await exists(receivedOf(job)))) {
    // Whoever put it there took it back.
    if (!(await exists(waiting))) return jobs.end(job)
    await rename(waiting, receivedOf(job))
  }
  const { aboutTransfer } = concerning(parts, job.name, '')
  // Where this is lost, it is received once more from where it lies now.
  database.preparation(() => {
    jobs.move(job, 'working')
    writeEvent(database, now(), 30000, { ...aboutTransfer, note: `Received ${job.name}` })
  })
}

/** Puts what was refused aside, and says why. */
const setAside = async (parts: PreservationParts, { jobs, receivedOf }: Workplace, job: Job) => {
  const { database, folders, now } = parts
  const aside = path.join(folders.setAside, job.name)
  if (await exists(receivedOf(job)))
    await rename(receivedOf(job), (await exists(aside)) ? `${aside} ${job.id}` : aside)
  const { transfer, sender, aboutTransfer } = concerning(parts, job.name, '')
  database.transaction(() => {
    writeEvent(database, now(), 20800, { ...aboutTransfer, failed: true, note: job.reason ?? '' })
    const name = transfer ? String(transfer['name']) : job.name
    const message = `${name} was not accepted: ${job.reason ?? ''}`
    notify(database, now(), sender.user, 'error', message.slice(0, 255))
    jobs.end(job)
  })
}

/** Unpacks, checks and preserves what was received; a verdict on it refuses it. */
const preserveReceived = async (
  parts: PreservationParts,
  workplace: Workplace,
  job: Job,
  before: Promise<unknown>,
) => {
  const { jobs, folderOf, receivedOf } = workplace
  const scratch = path.join(folderOf(job), unpacked)
  await rm(scratch, { recursive: true, force: true })
  try {
    const opened = await openReceived(receivedOf(job), scratch, parts.check)
    await preserve(parts, job, opened, before, () => jobs.end(job))
  } catch (error) {
    if (!(error instanceof InvalidPackage)) throw error
    jobs.move(job, 'refused', error.message)
  } finally {
    // What was unpacked gives its room back, also where there was too little.
    await rm(scratch, { recursive: true, force: true })
  }
}

/**
 * Turns packages that arrive in the ingest folder into preserved packages. Every step is written down before
 * it is taken, so that a process killed at any moment goes on or takes back when it starts again; a package
 * is shown once all its copies are there.
 */
export const preservation = (parts: PreservationParts) => {
  const { database, now } = parts
  const workplace = openWorkplace(parts)
  const { jobs, folderOf } = workplace

  const report = (name: string, note: string) => {
    const { sender, aboutTransfer } = concerning(parts, name, '')
    writeEvent(database, now(), 30000, { ...aboutTransfer, failed: true, note })
    notify(database, now(), sender.user, 'error', note.slice(0, 255))
  }

  return {
    /** @param before settled once what came before it is: only then it becomes a generation */
    work: async (job: Job, before: Promise<unknown> = Promise.resolve()) => {
      if (job.stage === 'moving') await receive(parts, workplace, job)
      if (job.stage === 'working') await preserveReceived(parts, workplace, job, before)
      // What is refused is put aside in turn too: two may have one name.
      if (job.stage === 'refused') {
        await before
        await setAside(parts, workplace, job)
      }
      await rm(folderOf(job), { recursive: true, force: true })
    },
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
    stumble: (job: Job, error: unknown) => {
      console.error(`The package ${job.name} could not be worked on:`, error)
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
 * Removes what killed processes left: folders of jobs that are over, and what was unpacked. Nothing is
 * written before.
 */
export const tidyWorking = async ({ sqlite }: Database, working: string) => {
  const known = new Set(
    sqlite
      .prepare('select id from job')
      .all()
      .map(({ id }) => String(id)),
  )
  for (const name of await readdir(working))
    await rm(path.join(working, name, ...(known.has(name) ? [unpacked] : [])), {
      recursive: true,
      force: true,
    })
}
