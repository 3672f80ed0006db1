import { isDeepStrictEqual } from 'node:util'
import { background, toProcess } from '../../../common/background.ts'
import { Failed } from '../../../contract/failure.ts'
import { queuedIdOf } from '../../../contract/queued.ts'
import type { PackingSettings } from '../../../contract/transfers.ts'
import type { ArchiveClient, Dialect, SubmissionPart } from '../../../dialects/dialect.ts'
import { formatWanted } from '../../../packaging/formats.ts'
import type { CacheOf } from '../../../store/cache/caches.ts'
import type { DeskStore, KeptTransfer } from '../../../store/desk/desk-store.ts'
import type { Engine } from '../../engine.ts'
import type { Records } from './records.ts'
import type { Transports } from './transport.ts'

interface Parts {
  engine: Pick<Engine, 'isStopped'>
  store: Pick<DeskStore, 'transfer' | 'latestTransfer'>
  records: Pick<Records, 'keep'>
  transports: Pick<Transports, 'isOverInterface'>
  cacheOf: CacheOf
  dialectOf: (archive: string) => Pick<Dialect, 'submission'>
  findClient: (archive: string) => ArchiveClient | undefined
  now: () => Date
}

type HeldOf = Parameters<SubmissionPart['packagingOf']>[0]
type HeldList = Parameters<HeldOf>[0]
type Format = Pick<PackingSettings, 'format' | 'version'>

const subjects = {
  'submission-agreements': 'agreements',
  profiles: 'description/profiles',
  deliveries: 'deliveries',
} as const satisfies Record<HeldList, string>

/** So long an answer holds, in milliseconds: forms are saved often. */
const rememberedMs = 60_000

/** Whether the archive itself makes representations under an agreement, as it says now. */
export const makesRepresentations = async (
  { packagingOf }: Pick<SubmissionPart, 'packagingOf'>,
  archive: ArchiveClient,
  agreement: string,
): Promise<boolean> =>
  // What is held may be older than the agreement is now.
  (await packagingOf(() => undefined, archive, { agreement, delivery: '' })).makesRepresentations

/** In the format that is wanted, or else as the desk made the last one; as it is where a person chose. */
const inFormat = (
  packing: PackingSettings,
  wanted: Format | undefined,
  last: PackingSettings | undefined,
): PackingSettings => {
  const { format: _format, version: _version, formatProposedBy, ...others } = packing
  if (formatProposedBy === undefined || (!wanted && formatProposedBy === 'desk')) return packing
  if (wanted) return { ...others, ...wanted, formatProposedBy: 'agreement' }
  if (!last || last.formatProposedBy === 'agreement') return { ...others, formatProposedBy: 'desk' }
  const { format, version } = last
  return {
    ...others,
    ...(format === undefined ? {} : { format }),
    ...(version === undefined ? {} : { version }),
    formatProposedBy: 'desk',
  }
}

/** Proposes in which format drafts are made: as their agreement says, or else as this desk made the last. */
export const openProposing = (parts: Parts) => {
  const { engine, store, records, transports, cacheOf, dialectOf, findClient, now } = parts
  const remembered = new Map<
    string,
    { until: number; answer: Promise<{ format: Format | undefined } | null> }
  >()

  /** By what its agreement is known: over the interface it is chosen itself, else its delivery has one. */
  const chosenIn = (transfer: KeptTransfer) => {
    const isOverInterface = transports.isOverInterface(transfer)
    const { agreement, delivery } = transfer.form
    // The archive does not have a delivery yet that is made with its name alone.
    const isThere = !isOverInterface && queuedIdOf(delivery) === undefined
    return { agreement: isOverInterface ? agreement : '', delivery: isThere ? delivery : '' }
  }
  type Chosen = ReturnType<typeof chosenIn>

  const ask = async (archive: string, chosen: Chosen) => {
    const [client, submission] = [findClient(archive), dialectOf(archive).submission]
    if (!client || !submission) return null
    const held: HeldOf = (list, id) => cacheOf(archive).raw(subjects[list], id)
    try {
      return { format: formatWanted(await submission.packagingOf(held, client, chosen)) }
    } catch (error) {
      // What cannot be asked now proposes nothing.
      if (error instanceof Failed) return null
      throw error
    }
  }

  /** The format that an agreement wants; null where that cannot be known now. */
  const wantedBy = (archive: string, chosen: Chosen) => {
    const key = JSON.stringify([archive, chosen])
    const time = now().getTime()
    for (const [known, { until }] of remembered) if (until <= time) remembered.delete(known)
    const answer = remembered.get(key)?.answer ?? ask(archive, chosen)
    if (!remembered.has(key)) remembered.set(key, { until: time + rememberedMs, answer })
    return answer
  }

  /** How a draft is made, the format as its agreement or the desk proposes it. */
  const packingOf = ({ archive, packing }: KeptTransfer, wanted: { format: Format | undefined } | null) =>
    wanted ? inFormat(packing, wanted.format, store.latestTransfer(archive)?.packing) : packing

  const propose = async (asked: KeptTransfer) => {
    const chosen = chosenIn(asked)
    const wanted = await wantedBy(asked.archive, chosen)
    if (engine.isStopped()) return
    const draft = store.transfer(asked.id)
    // What was chosen meanwhile is asked for by itself.
    if (draft?.state !== 'draft' || !isDeepStrictEqual(chosenIn(draft), chosen)) return
    const packing = packingOf(draft, wanted)
    if (!isDeepStrictEqual(packing, draft.packing)) records.keep({ ...draft, packing })
  }

  return {
    /** Proposes a format for a draft, where no person chose one; what is found out later is told as news. */
    propose: (draft: KeptTransfer): KeptTransfer => {
      if (draft.state === 'draft' && draft.packing.formatProposedBy !== undefined)
        background(propose(draft), toProcess)
      return draft
    },
  }
}
