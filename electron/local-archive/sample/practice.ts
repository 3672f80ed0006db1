import path from 'node:path'
import type { Account } from '../accounts/accounts.ts'
import type { Database } from '../database.ts'
import { writeSmallPackage } from '../../packaging/small-package.ts'
import { contentsDates } from '../contents-dates.ts'
import { agentsOf } from '../packages.ts'
import { preservation, type PreservationParts } from '../preservation.ts'
import { fillToday } from './practice-day.ts'
import { archiveOf, missingGenerations, practiceId, type PracticeGeneration } from './practice-packages.ts'
import { creating } from './sample-description.ts'

const dayMs = 86_400_000
/** What was told longer ago has been read since. */
const unreadDays = 2

/** The package of a generation, as somebody sends it. */
const send = (folder: string, { item, generation }: PracticeGeneration, from: string, modified: Date) =>
  writeSmallPackage({
    folder,
    files: generation.files.map(({ name, from: source, bytes, sha256 }) => ({
      name,
      source: path.join(from, item.folder, String(source), name),
      bytes,
      sha256,
    })),
    labels: [
      ['Source-Organization', item.archivist],
      ['Contact-Name', item.submitter],
      ['External-Description', item.label],
      ['External-Identifier', item.identifier],
    ],
    modified,
  })

/**
 * What a package does not say of itself: who the archivist was, when its contents are from, under which
 * agreement it came, and where it stands in the description.
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
      ...contentsDates(item.label),
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
    const { jobs, begin, work, removeLeft } = preservation({
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
      await send(path.join(folders.ingest, name), wanted, from, then)
    await work(begun ?? begin(name, practiceId(item.identifier, nth)))
    await removeLeft()
  }
}
