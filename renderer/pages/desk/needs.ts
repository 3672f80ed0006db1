import type { Dissemination } from '../../../electron/contract/dips.ts'
import { nameIn } from '../../../electron/contract/file-paths.ts'
import type { Download } from '../../../electron/contract/files.ts'
import type { PackageRow } from '../../../electron/contract/packages.ts'
import type { Listed } from '../../../electron/contract/paging.ts'
import type { Creation } from '../../../electron/contract/outbox.ts'
import type { Account } from '../../../electron/contract/session.ts'
import { needsPerson, type TransferRow } from '../../../electron/contract/transfers.ts'
import type { Capabilities } from '../../../electron/contract/capabilities.ts'
import type { ArchiveDesk } from '../../bridge.svelte.ts'
import { say, shown } from '../../language/say.svelte.ts'
import { failureText } from '../../parts/failure-text.ts'
import type { IconName } from '../../parts/icons.ts'
import { archiveName } from '../../state/archive-name.ts'
import { addressOf, go } from '../../state/place.svelte.ts'

/** Something that a person has to see to. */
export interface Need {
  id: string
  icon: IconName
  tone: 'bad' | 'warn'
  title: string
  /** One sentence of what happened. */
  what: string
  act: string
  /** null where the act is a form that opens below the line. */
  run: (() => unknown) | null
  href: string | undefined
}

/** A transfer as it is called, with its generation where that is not the first. */
export const titleOf = ({ name, generation }: TransferRow): string =>
  [name || say.transfers.unnamed, (generation ?? 1) > 1 ? say.packages.generation(generation) : '']
    .filter(Boolean)
    .join(' · ')

/** One that stopped, or that is packed and that nobody has sent. */
export const needOfTransfer = (transfer: TransferRow): Need => {
  const isTroubled = needsPerson(transfer)
  return {
    id: transfer.id,
    icon: isTroubled ? 'failed' : 'question',
    tone: isTroubled ? 'bad' : 'warn',
    title: titleOf(transfer),
    what:
      transfer.failure && isTroubled
        ? failureText(transfer.failure).what
        : say.deskPage.packedUnsent(transfer.lacks),
    act: isTroubled ? say.deskPage.lookAtTransfer : say.deskPage.send,
    run: () => go('transfers', transfer.id),
    href: addressOf('transfers', transfer.id),
  }
}

/** One of the outbox that a person has to decide; the outbox says what there is to choose. */
export const needOfCreation = ({ id, list, title, state, failure }: Creation): Need => ({
  id,
  icon: state === 'undecided' ? 'question' : 'failed',
  tone: state === 'undecided' ? 'warn' : 'bad',
  title: `${shown.list(list)}: ${title}`,
  what: failure ? failureText(failure).what : say.outbox.notes[state],
  act: say.deskPage.inOutbox,
  run: () => document.getElementById(`creation-${id}`)?.scrollIntoView({ block: 'center' }),
  href: undefined,
})

/** A download that broke off, or a file that was saved and is not what was preserved. */
export const needOfDownload = (desk: ArchiveDesk, download: Download): Need => {
  const { id, path, failure, verdict, package: about } = download
  const name = nameIn(path)
  const isAltered = download.state === 'altered' && verdict !== null
  const whyNot = failure ? failureText(failure).what : say.files.states.failed
  return {
    id,
    icon: isAltered ? 'altered' : 'failed',
    tone: 'bad',
    title: isAltered ? say.deskPage.notAsPreserved(name) : say.deskPage.notFetched(name),
    what: isAltered ? say.reader.verdict.explained.changed(verdict.algorithm, verdict.source) : whyNot,
    act: isAltered ? say.files.fetchAgain : say.files.resume,
    run: () => desk.files.resume({ id }),
    href: addressOf('packages', about),
  }
}

/** A dissemination package that was not made. */
export const needOfDip = (
  desk: ArchiveDesk,
  { id, label, order, failure, message }: Dissemination,
): Need => ({
  id,
  icon: 'failed',
  tone: 'bad',
  title: `${say.dips.title}: ${label}`,
  what: failure ? failureText(failure).what : message || say.dips.states.failed,
  act: say.dips.goOn,
  run: () => desk.dips.goOn({ id }),
  href: addressOf('orders', order),
})

/** A sign-in that ends soon, or has ended where another archive is shown. */
export const needOfRenewal = (account: Account): Need => ({
  id: account.archive,
  icon: 'signed-out',
  tone: 'warn',
  title: archiveName(account),
  what: say.deskPage.signInEnds(shown.clock(account.endsAt)),
  act: say.deskPage.renew,
  run: null,
  href: undefined,
})

/** Of packages that the archive stopped at, so many are looked at. */
const mostStopped = 50
const mostNamed = 3

/** Packages at which the archive stopped, the last first. */
export const askStopped = (desk: ArchiveDesk): Promise<Listed<PackageRow>> =>
  desk.packages.list({
    view: 'tree',
    filters: { work: ['failed'] },
    sort: 'changed',
    descending: true,
    filter: '',
    open: [],
    offset: 0,
    limit: mostStopped,
  })

/** Who only brings packages can do nothing for those that the archive has. */
const mayMend = ({ submission }: Capabilities) =>
  submission !== 'not allowed' && submission !== 'until submitted'

/**
 * Packages at which the archive stopped, as one line however many they are.
 * @param told the transfers that stand there by themselves; their packages are not told once more
 */
export const needsOfStopped = (
  { rows, total }: Listed<PackageRow>,
  told: readonly Pick<TransferRow, 'identifier' | 'package'>[],
  known: Capabilities | null,
): Need[] => {
  if (known === null || !mayMend(known)) return []
  // The whole of a package's generations may have an identifier of its own.
  const isTold = ({ id, newest, identifier }: PackageRow) =>
    told.some((one) => one.identifier === identifier || one.package === (newest ?? id))
  const others = rows.filter((row) => !isTold(row))
  const count = total - (rows.length - others.length)
  const [only] = others
  if (!only) return []
  const line = { id: 'stopped', icon: 'failed', tone: 'bad' } as const
  if (count === 1) {
    const id = only.newest ?? only.id
    return [
      {
        ...line,
        title: only.label || only.identifier,
        what: say.deskPage.stoppedThere(shown.word(only.state)),
        act: say.deskPage.lookAtTransfer,
        run: () => go('packages', id),
        href: addressOf('packages', id),
      },
    ]
  }
  const names = others.slice(0, mostNamed).map(({ label, identifier }) => label || identifier)
  const href = `${addressOf('packages')}?work=failed`
  return [
    {
      ...line,
      title: say.deskPage.stopped(count),
      what: [...names, ...(count > names.length ? ['…'] : [])].join(', '),
      act: say.deskPage.lookAtPackages,
      run: () => (location.hash = href),
      href,
    },
  ]
}
