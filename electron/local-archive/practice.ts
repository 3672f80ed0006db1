import { mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Account } from './accounts.ts'
import type { Database } from './database.ts'
import { agentsOf } from './packages.ts'
import { preservation, type PreservationParts } from './preservation.ts'
import { fillToday } from './practice-day.ts'
import { archiveOf, missingGenerations, practiceId, type PracticeGeneration } from './practice-packages.ts'
import { creating } from './sample-description.ts'

const dayMs = 86_400_000
/** What was told longer ago has been read since. */
const unreadDays = 2

const line = (label: string, value: string) => `${label}: ${value}\n`
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A bag (RFC 8493) of the files of a generation, under its name once it is whole. */
const writeBag = async (bag: string, { item, generation }: PracticeGeneration, from: string, then: Date) => {
  const partial = path.join(path.dirname(bag), `.${path.basename(bag)}`)
  await rm(partial, { recursive: true, force: true })
  await rm(bag, { recursive: true, force: true })
  const payload = generation.files.map((file) => ({
    ...file,
    target: path.join(partial, 'data', file.name),
    source: path.join(from, item.folder, String(file.from), file.name),
  }))
  const folders = new Set(payload.map(({ target }) => path.dirname(target)))
  for (const folder of folders) await mkdir(folder, { recursive: true })
  // Out of the app's own archive (asar) a file is read, and not copied.
  for (const { source, target } of payload) {
    await writeFile(target, await readFile(source))
    await utimes(target, then, then)
  }
  const bytes = payload.reduce((sum, file) => sum + file.bytes, 0)
  const tags = {
    'bagit.txt': 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
    'bag-info.txt':
      line('Source-Organization', item.archivist) +
      line('Contact-Name', item.submitter) +
      line('External-Description', item.label) +
      line('External-Identifier', item.identifier) +
      line('Payload-Oxum', `${bytes}.${payload.length}`),
    'manifest-sha256.txt': payload.map(({ name, sha256 }) => `${sha256}  data/${name}\n`).join(''),
  }
  const all = {
    ...tags,
    'tagmanifest-sha256.txt': Object.entries(tags)
      .map(([name, text]) => `${sha256(text)}  ${name}\n`)
      .join(''),
  }
  for (const [name, text] of Object.entries(all)) await writeFile(path.join(partial, name), text)
  await rename(partial, bag)
}

/**
 * What a bag does not say of a package: who the archivist was, under which agreement it came, and where it
 * stands in the description.
 */
const describe = (database: Database, account: Account, { item, nth }: PracticeGeneration, then: Date) => {
  const agreement = database.list('submission agreement')[item.agreement]
  for (const body of database.where('information package', 'object_identifier_value', item.identifier))
    database.put('information package', {
      ...body,
      agents: agentsOf({
        ARCHIVIST_ORGANIZATION: item.archivist,
        CREATOR_ORGANIZATION: item.archivist,
        SUBMITTER_ORGANIZATION: item.archivist,
        SUBMITTER_INDIVIDUAL: item.submitter,
        ARCHIVIST_SOFTWARE: 'Lectern local archive',
      }),
      submission_agreement: agreement?.['id'],
      submission_agreement_locked: true,
    })
  const [known] = database
    .list('tag')
    .filter((tag) => tag['information_package'] === practiceId(item.identifier, nth - 1))
  const archive = archiveOf(database, item)
  const id = practiceId(item.identifier, nth)
  if (known) database.put('tag', { ...known, information_package: id })
  else if (archive)
    creating(
      database,
      account,
      then,
    )('tags', {
      name: item.label,
      type: database.list('tag version type')[1]?.['id'],
      parent: archive['id'],
      structure: archive['structure'],
      reference_code: item.identifier,
      information_package: id,
    })
}

/**
 * Preserves the packages of the sample that are not there yet, one after the other, as the archive preserves
 * whatever is sent to it: checked, written to every target of the policy, read back. Each is dated as many
 * days ago as the sample says. What is interrupted goes on with the next start.
 * @param account who works there
 * @param from the folder with the files of the sample
 */
export const preservePractice = async (
  parts: PreservationParts,
  account: Account,
  from: string,
  stopped: AbortSignal,
): Promise<void> => {
  const { database, folders } = parts
  const started = parts.now()
  const missing = missingGenerations(database)
  for (const wanted of missing) {
    if (stopped.aborted) return
    const { item, generation, nth } = wanted
    const then = new Date(started.getTime() - generation.daysAgo * dayMs)
    const { jobs, begin, work } = preservation({
      ...parts,
      now: () => then,
      isSeen: generation.daysAgo > unreadDays,
      withPackage: () => {
        describe(database, account, wanted, then)
        if (wanted === missing.at(-1)) fillToday(database, account, started)
      },
    })
    const name = `${item.folder}-${nth}`
    const begun = jobs().find((job) => job.name === name)
    if (begun === undefined || begun.stage === 'moving')
      await writeBag(path.join(folders.ingest, name), wanted, from, then)
    await work(begun ?? begin(name, practiceId(item.identifier, nth)))
  }
}
