import type { JournalAct } from '../../../contract/activity.ts'
import type { TimeLineEntry } from '../../../contract/packages.ts'
import type { TransferHistory, TransferMoment } from '../../../contract/transfer-history.ts'
import type { Cache } from '../../../store/cache/cache.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'
import type { JournalPart } from '../../../store/desk/journal-part.ts'

/** More is for the list of everything that happened. */
const mostMoments = 20

const rungs = ['prepared', 'sent', 'received', 'preserved'] as const
/** Steps of the archive that are rungs of the transfer too: they are told once. */
const isRung = (step: string) => rungs.some((rung) => rung === step && rung !== 'prepared')

/**
 * What happened to a transfer between its draft and now.
 * @param journal what the journal has of it; one that another desk began has its first steps there
 * @param told what messages of the archive say of the package that it became
 */
export const historyOf = (
  { times, steps = [] }: Pick<KeptTransfer, 'times' | 'steps'>,
  journal: JournalPart,
  told: TimeLineEntry[],
): TransferHistory => {
  const done = journal.lines.map(({ at, act }): TransferMoment => ({ time: at, source: 'desk', what: act }))
  const isWhole = journal.lines.length === journal.count
  const isWritten = (act: JournalAct) => !isWhole || journal.lines.some((line) => line.act === act)
  const reached = rungs.flatMap((rung): TransferMoment[] => {
    const [time, what] = [times[rung], `transfer.${rung}` as const]
    return time === null || isWritten(what) ? [] : [{ time, source: 'desk', what }]
  })
  const taken = steps
    .filter(({ step }) => !isRung(step))
    .map(({ step, at }): TransferMoment => ({ time: at, source: 'archive', what: step }))
  const messages = told.map(({ time, what, failed }): TransferMoment => ({
    time,
    source: 'notification',
    what,
    failed: failed === true,
  }))
  const all = [...reached, ...done, ...taken, ...messages].toSorted(
    (one, other) => Date.parse(one.time) - Date.parse(other.time),
  )
  const moments = all.slice(-mostMoments)
  return { moments, earlier: journal.count - journal.lines.length + all.length - moments.length }
}

/** The package that a transfer became, as far as the local copy has it. */
export const packageOf = ({ package: became }: Pick<KeptTransfer, 'package'>, { packages }: Cache) =>
  became === null ? undefined : packages.facts(became)
