import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Accounts } from './accounts.ts'
import { isTape, storage, type EventCode } from './codes.ts'
import type { Body, Database } from './database.ts'
import { notify, writeEvent } from './events.ts'
import { writeMets } from './mets.ts'
import { InvalidBag, readBag, type Bag } from './read-bag.ts'
import { addPackage, nextGeneration } from './packages.ts'
import { needRoom } from './room.ts'
import { isOutOfFiles, isOutOfRoom, NoRoom } from './system-error.ts'
import { indexDocuments, keepText, listFiles } from './search/index-records.ts'
import type { textReader } from './search/texts.ts'
import { openReceived } from './unpack.ts'
import { removeCopies, writeCopies } from './write-copies.ts'

/**
 * A bag on its way in; `package` is the id that its AIP will have. A job that is left is none: an entry that cannot be taken,
 * and why; it is kept so that this is told once.
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
const placesOf = (database: Database, policy: Body): Place[] =>
  (policy['storage_methods'] as string[])
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
        .find((it) => it['status'] === 20)
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

interface Parts {
  database: Database
  accounts: Accounts
  folders: { ingest: string; working: string; setAside: string }
  texts: ReturnType<typeof textReader>
  /** Throws where what was received is not sound. */
  check: (received: string) => Promise<void>
  now: () => Date
}

/**
 * Turns bags that arrive in the ingest folder into preserved packages. Every step is written down before it is taken, so that a
 * process killed at any moment goes on or takes back when it starts again; a package is shown once all its copies are there.
 */
export const preservation = ({ database, accounts, folders, texts, check, now }: Parts) => {
  const { sqlite } = database
  const jobs = () =>
    sqlite.prepare(`select * from job where stage <> 'left' order by made`).all() as unknown as Job[]
  const move = (job: Job, stage: Job['stage'], reason: string | null = null) => {
    sqlite.prepare('update job set stage = ?, reason = ? where id = ?').run(stage, reason, job.id)
    Object.assign(job, { stage, reason })
  }
  const end = (job: Job) => {
    sqlite.prepare('delete from job where id = ?').run(job.id)
  }
  const folderOf = (job: Job) => path.join(folders.working, job.id)
  const receivedOf = (job: Job) => path.join(folderOf(job), job.name)

  /** The transfer that a bag belongs to (its folder or its bag-info names it), who sent it, and how events speak of both. */
  const concerning = (name: string, info: Map<string, string>) => {
    const transfer = [info.get('transfer-identifier'), path.parse(name).name, name]
      .map((id) => (id === undefined ? undefined : database.one('transfer', id)))
      .find((it) => it !== undefined)
    const sender = (transfer ? accounts.byId(Number(transfer['sender'])) : undefined) ?? accounts.first()
    if (!sender) throw new Error('The archive has no account.')
    const aboutTransfer = {
      by: String(sender.user['username']),
      transfer: transfer && String(transfer['id']),
      delivery: transfer && Number(transfer['delivery']),
    }
    return { transfer, sender, aboutTransfer }
  }

  const policyOf = (): Body => {
    const policy = database.list('storage policy').find((it) => it['policy_stat'] === true)
    if (!policy) throw new Error('The archive has no active storage policy.')
    return policy
  }
  const receive = async (job: Job) => {
    await mkdir(folderOf(job), { recursive: true })
    const waiting = path.join(folders.ingest, job.name)
    if (!(await exists(receivedOf(job)))) {
      // Whoever put it there took it back.
      if (!(await exists(waiting))) return end(job)
      await rename(waiting, receivedOf(job))
    }
    const { aboutTransfer } = concerning(job.name, new Map())
    database.together(() => {
      move(job, 'working')
      writeEvent(database, now(), 30000, { ...aboutTransfer, note: `Received ${job.name}` })
    })
  }

  const keep = async (job: Job, bag: Bag, folder: string) => {
    const { transfer, sender, aboutTransfer } = concerning(job.name, bag.info)
    const identifier = bag.info.get('external-identifier') || path.parse(job.name).name
    const label = bag.info.get('external-description') || (transfer && String(transfer['name'])) || identifier
    const made = now()
    const places = placesOf(database, policyOf())
    const copies = places.map(({ medium, target }) => ({
      medium: String(medium['medium_id']),
      file: path.join(String(target['target']), String(medium['medium_id']), `${job.package}.tar`),
    }))
    await removeCopies(copies)
    for (const { target } of places) await mkdir(String(target['target']), { recursive: true })
    await needRoom(
      places.map(({ target }) => ({
        folder: String(target['target']),
        bytes: bag.bytes + bag.payload.length * perFileBytes,
      })),
      'for the copies',
    )
    const mets = await writeMets({
      identifier,
      label,
      made,
      by: String(sender.user['username']),
      files: bag.payload,
    })
    await listFiles(database, job.package, bag.payload)
    for (const { name } of bag.payload) {
      const text = await texts.read(path.join(folder, name), name)
      if (text !== '') keepText(database, job.package, name, text)
    }
    const written = await writeCopies({ folder, payload: bag.payload }, job.package, copies, [
      { name: 'mets.xml', text: mets },
    ])

    database.together(() => {
      const generation = nextGeneration(database, identifier)
      const aip = addPackage(database, {
        id: job.package,
        identifier,
        label,
        generation,
        made,
        responsible: sender.user,
        transfer,
        info: bag.info,
        items: bag.payload.length,
        tar: { ...written, path: copies[0]?.file ?? '' },
        mets,
        policy: policyOf(),
      })
      const producer =
        transfer && database.one('delivery', String(transfer['delivery']))?.['producer_organization']
      indexDocuments(aip, typeof producer === 'string' ? [producer] : [], database)
      const event = (code: EventCode, note: string) =>
        writeEvent(database, now(), code, { ...aboutTransfer, package: job.package, note })
      event(50230, `The bag is complete and valid: ${bag.payload.length} files, ${bag.bytes} bytes`)
      event(50400, `Written as ${job.package}.tar, ${written.bytes} bytes, sha256 ${written.sha256}`)
      event(30200, `Generation ${generation} of ${identifier}`)
      places.forEach(({ medium, target }, index) => {
        database.put('storage object', {
          id: randomUUID(),
          content_location_type: isTape(target['type']) ? storage.tape : storage.disk,
          content_location_value: copies[index]?.file,
          last_changed_local: now().toISOString(),
          last_changed_external: null,
          ip: job.package,
          medium_id: medium['medium_id'],
          target_name: target['name'],
          target_target: target['target'],
          storage_medium: medium['id'],
          container: true,
        })
        database.put('storage medium', {
          ...medium,
          used_capacity: Number(medium['used_capacity']) + written.bytes,
        })
        event(
          isTape(target['type']) ? 40700 : 40600,
          `Written to ${String(medium['medium_id'])}, read back and equal`,
        )
      })
      event(30300, `Preserved in ${copies.length} copies`)
      notify(
        database,
        now(),
        sender.user,
        'success',
        `${String(aip['label'])} (${identifier}) is now preserved`,
      )
      end(job)
    })
  }

  const setAside = async (job: Job) => {
    const aside = path.join(folders.setAside, `${job.name}`)
    if (await exists(receivedOf(job)))
      await rename(receivedOf(job), (await exists(aside)) ? `${aside} ${job.id}` : aside)
    const { transfer, sender, aboutTransfer } = concerning(job.name, new Map())
    database.together(() => {
      writeEvent(database, now(), 20800, { ...aboutTransfer, failed: true, note: job.reason ?? '' })
      const name = transfer ? String(transfer['name']) : job.name
      notify(
        database,
        now(),
        sender.user,
        'error',
        `${name} was not accepted: ${job.reason ?? ''}`.slice(0, 255),
      )
      end(job)
    })
  }

  const work = async (job: Job) => {
    if (job.stage === 'moving') await receive(job)
    if (job.stage === 'working') {
      const scratch = path.join(folderOf(job), unpacked)
      await rm(scratch, { recursive: true, force: true })
      try {
        const folder = await openReceived(receivedOf(job), scratch, check)
        await keep(job, await readBag(folder), folder)
      } catch (error) {
        if (!(error instanceof InvalidBag)) throw error
        move(job, 'refused', error.message)
      } finally {
        // What was unpacked gives its room back, also where there was too little.
        await rm(scratch, { recursive: true, force: true })
      }
    }
    if (job.stage === 'refused') await setAside(job)
    await rm(folderOf(job), { recursive: true, force: true })
  }

  const begin = (name: string) =>
    sqlite
      .prepare(`insert into job (id, name, package, stage, reason, made) values (?, ?, ?, 'moving', null, ?)`)
      .run(randomUUID(), name, randomUUID(), now().toISOString())

  const tell = (name: string, note: string) => {
    const { sender, aboutTransfer } = concerning(name, new Map())
    writeEvent(database, now(), 30000, { ...aboutTransfer, failed: true, note })
    notify(database, now(), sender.user, 'error', note.slice(0, 255))
  }

  /** A trouble of the computer or of the archive: no verdict on the bag, told once, and tried again later. */
  const stumble = (job: Job, error: unknown) => {
    console.error(`The bag ${job.name} could not be worked on:`, error)
    const trouble = troubleInWords(error)
    if (job.reason === trouble) return
    database.together(() => {
      move(job, job.stage, trouble)
      tell(job.name, `${job.name} waits and is tried again: ${trouble}`)
    })
  }

  /** Tells once of an entry of the ingest folder that cannot be taken. */
  const leave = (name: string, reason: string) => {
    const known = sqlite.prepare(`select reason from job where stage = 'left' and name = ?`).get(name)
    if (known?.['reason'] === reason) return
    database.together(() => {
      sqlite.prepare(`delete from job where stage = 'left' and name = ?`).run(name)
      sqlite
        .prepare(`insert into job (id, name, package, stage, reason, made) values (?, ?, '', 'left', ?, ?)`)
        .run(randomUUID(), name, reason, now().toISOString())
      tell(name, `${name} is left in the ingest folder: ${reason}`)
    })
  }

  /** Forgets entries that are gone or can be taken now. */
  const takeBack = (left: Map<string, string>) => {
    for (const { name } of sqlite.prepare(`select name from job where stage = 'left'`).all())
      if (!left.has(String(name)))
        sqlite.prepare(`delete from job where stage = 'left' and name = ?`).run(String(name))
  }

  return { work, jobs, begin, stumble, leave, takeBack }
}

/** Removes what killed processes left: folders of jobs that are over, and what was unpacked. Nothing is written before. */
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
