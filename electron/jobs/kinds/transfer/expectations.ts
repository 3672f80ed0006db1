import type { Dialect } from '../../../dialects/dialect.ts'
import { archiveSteps, type ArchiveStep, type Transfer } from '../../../contract/transfers.ts'
import type { DeskStore, KeptTransfer } from '../../../store/desk/desk-store.ts'
import { isReadable } from '../../../store/desk/job-rows.ts'
import type { Transports } from './transport.ts'

interface Parts {
  store: Pick<DeskStore, 'transferPage' | 'fileExtensions'>
  transports: Pick<Transports, 'isOverInterface'>
  dialectOf: (archive: string) => Pick<Dialect, 'submission'>
}

/** So many of the last transfers tell how long an archive takes. */
const mostLooked = 30

const middle = (values: number[]): number | null =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? null

/** How long a transfer took from a step to the next, in milliseconds; null where it says nothing of one. */
const durationOf = ({ steps = [] }: KeptTransfer, step: ArchiveStep): number | null => {
  const next = archiveSteps[archiveSteps.indexOf(step) + 1]
  const begun = steps.find((seen) => seen.step === step)
  const ended = steps.find((seen) => seen.step === next)
  return begun && ended ? Date.parse(ended.at) - Date.parse(begun.at) : null
}

/** What is to be expected of an archive to which transfers go over the interface, by what was seen of it. */
export const openExpectations = ({ store, transports, dialectOf }: Parts) => ({
  /** What the archive is at with a transfer, and how long that took of late. */
  archiveWorkOf: (transfer: KeptTransfer): Transfer['archiveWork'] => {
    const last = transfer.steps?.at(-1)
    if (!transports.isOverInterface(transfer) || !last || last.step === 'preserved') return null
    const usual = store
      .transferPage(transfer.archive, 0, mostLooked)
      .filter((other) => isReadable(other) && other.state === 'preserved')
      .map((other) => durationOf(other, last.step))
      .filter((duration) => duration !== null)
    return { step: last.step, since: last.at, usualMs: middle(usual) }
  },
  /**
   * Which files of a draft the archive is likely to refuse where each goes by itself: those of an extension
   * that it refused before, or that a site does not know where it has changed nothing; empty ones; and those
   * that cannot be named to it.
   */
  refusableOf: (transfer: KeptTransfer): Transfer['refusable'] => {
    const { submission } = dialectOf(transfer.archive)
    if (!submission || transfer.state !== 'draft' || !transports.isOverInterface(transfer)) return null
    const seen = store.fileExtensions(transfer.archive)
    const counts = new Map<string, number>()
    for (const { extensions } of transfer.sources)
      for (const { extension, files } of extensions)
        if (!(seen.get(extension) ?? submission.isUsuallyAccepted(extension)))
          counts.set(extension, (counts.get(extension) ?? 0) + files)
    return {
      extensions: [...counts].map(([extension, files]) => ({ extension, files })),
      empty: transfer.sources.reduce((all, { empty }) => all + empty, 0),
      unnameable: transfer.sources.reduce((all, { unnameable }) => all + unnameable, 0),
    }
  },
})
