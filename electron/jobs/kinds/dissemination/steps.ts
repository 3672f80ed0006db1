import type { DisseminationStatus } from '../../../dialects/models.ts'
import type { DipItem, dipStages, Dissemination } from '../../../contract/dips.ts'
import { Failed, isRefusal, isSurelyUnsent } from '../../../contract/failure.ts'
import {
  ArchiveFailed,
  disseminationOf,
  withRetries,
  pollIntervalMs,
  withItem,
  type StepContext,
} from './step-context.ts'
import { fetchItems } from './fetching.ts'

const isPrepared = ({ stage }: DisseminationStatus) => stage !== 'registered'
const isClosed = ({ stage }: DisseminationStatus) => stage === 'creating' || stage === 'created'

/** How the package of a dissemination stands in the archive now. */
const statusOf = ({ dip }: Pick<Dissemination, 'dip'>, doing: StepContext): Promise<DisseminationStatus> =>
  withRetries(() => disseminationOf(doing.archive).status(doing.archive, dip ?? ''), doing)

/** Asks for a package until it is as it should be. */
const until = async (
  dissemination: Dissemination,
  isReady: (status: DisseminationStatus) => boolean,
  doing: StepContext,
): Promise<void> => {
  for (;;) {
    const status = await statusOf(dissemination, doing)
    if (isReady(status)) return
    if (status.hasFailed) {
      const reason = await disseminationOf(doing.archive).whyFailed(doing.archive, status.id)
      throw new ArchiveFailed([status.state, reason].filter(Boolean).join(': '))
    }
    await doing.wait(pollIntervalMs, doing.stop)
  }
}

/**
 * Brings what is asked for into the package, unless that was closed: by a later state of this desk's file,
 * which a backup took the place of.
 */
const unlessClosed =
  (bring: (dissemination: Dissemination, doing: StepContext) => Promise<Dissemination>) =>
  async (dissemination: Dissemination, doing: StepContext): Promise<Dissemination> => {
    const status = await statusOf(dissemination, doing)
    if (!isClosed(status)) return bring(dissemination, doing)
    return doing.save({
      ...dissemination,
      items: dissemination.items.map((item) => ({ ...item, state: 'copied' })),
    })
  }

/**
 * Where a dissemination goes on: from its first step where the archive has its package no more, since
 * somebody removed it there.
 */
export const goOnFrom = async (
  dissemination: Dissemination,
  { archive, save }: StepContext,
): Promise<Dissemination> => {
  if (dissemination.dip === null || (await disseminationOf(archive).find(archive, dissemination.identifier)))
    return dissemination
  const items = dissemination.items.map((item): DipItem => {
    return item.state === 'copied' ? { ...item, state: 'there' } : item
  })
  return save({ ...dissemination, dip: null, createAsked: null, stage: 'register', items })
}

/** So long an archive may take until what it was asked for shows. */
const longestStartMs = 60_000

/**
 * Whether a package is still to be asked for: it may have been, and the answer was lost. Then the archive
 * gets the time that it may take until that shows, since it would make a second one of the same package.
 */
const isToCreate = async (dissemination: Dissemination, doing: StepContext): Promise<boolean> => {
  const { wait, stop } = doing
  // Counted from now, whenever that was: clocks jump.
  for (let leftMs = dissemination.createAsked === null ? 0 : longestStartMs; ;) {
    const { stage, isWorking } = await statusOf(dissemination, doing)
    if (stage !== 'prepared') return false
    if (!isWorking && leftMs <= 0) return true
    await wait(pollIntervalMs, stop)
    if (!isWorking) leftMs -= pollIntervalMs
  }
}

/** Has the archive create a package, and keeps that it was asked where the answer does not say otherwise. */
const askToCreate = async (begun: Dissemination, doing: StepContext): Promise<Dissemination> => {
  const { archive, save, now } = doing
  const dissemination = save({ ...begun, createAsked: now().toISOString() })
  try {
    await disseminationOf(archive).create(archive, dissemination.dip ?? '')
    return dissemination
  } catch (error) {
    const isNotMade = error instanceof Failed && (isRefusal(error.failure) || isSurelyUnsent(error.failure))
    if (!isNotMade) throw error
    // What was asked for before is refused once it shows.
    if (isRefusal(error.failure) && isClosed(await statusOf(dissemination, doing))) return dissemination
    save({ ...dissemination, createAsked: null })
    throw error
  }
}

/**
 * The steps of a dissemination package, in the order of `dipStages`. Registering, agreeing, preparing and
 * creating first see how things stand in the archive. Fetching and copying are asked for once more where
 * nobody knows whether they were: the archive refuses (409) to fetch into the workspace what is there or on
 * its way, and copies into the package under the same name again.
 */
export const steps: Record<
  (typeof dipStages)[number],
  (dissemination: Dissemination, doing: StepContext) => Promise<Dissemination>
> = {
  register: async (dissemination, { archive, save }) => {
    const known = await disseminationOf(archive).find(archive, dissemination.identifier)
    if (!known) await disseminationOf(archive).register(archive, dissemination)
    const made = known ?? (await disseminationOf(archive).find(archive, dissemination.identifier))
    if (!made) throw new Failed({ kind: 'not-found', what: dissemination.identifier })
    return save({ ...dissemination, dip: made.id })
  },
  agree: async (dissemination, doing) => {
    const { archive } = doing
    const status = await statusOf(dissemination, doing)
    if (!isPrepared(status)) await disseminationOf(archive).agree(archive, status, dissemination.agreement)
    return dissemination
  },
  prepare: async (dissemination, doing) => {
    const status = await statusOf(dissemination, doing)
    if (!isPrepared(status)) await disseminationOf(doing.archive).prepare(doing.archive, status.id)
    await until(dissemination, isPrepared, doing)
    return dissemination
  },
  fetch: unlessClosed(fetchItems),
  copy: unlessClosed(async (begun, doing) => {
    const { archive, save } = doing
    // The workspace may have been emptied since.
    let dissemination = await fetchItems(begun, doing)
    const copy = await disseminationOf(archive).copier(archive, begun.dip ?? '')
    for (const item of dissemination.items) {
      if (item.state === 'copied') continue
      await copy(item.identifier)
      dissemination = save(withItem(dissemination, item, { state: 'copied' }))
    }
    return dissemination
  }),
  create: async (begun, doing) => {
    const dissemination = (await isToCreate(begun, doing)) ? await askToCreate(begun, doing) : begun
    await until(dissemination, (status) => status.stage === 'created', doing)
    return dissemination
  },
}
