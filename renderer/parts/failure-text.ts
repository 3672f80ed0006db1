import { entryIn } from '../../electron/common/records.ts'
import type { Failure } from '../../electron/contract/failure.ts'
import { finding, say, shown } from '../language/say.svelte.ts'

/** What a person is told of a failure: what it is, and what to do next. */
export interface FailureText {
  what: string
  next: string
  /** As the system or the archive said it. */
  raw?: string
  /** Sentences of the same kind, folded below. */
  more?: string[]
}

/** The state that a conflict names, in the words of the desk. */
const stateOf = (state: string): string => entryIn(say.transfers.states, state) ?? state

/** Whether a redirection leads to what was asked for at another place, and not to a page of another kind. */
const hasMoved = ({ address, excerpt }: Extract<Failure, { kind: 'server-broke' }>): boolean => {
  const lastName = (url: string) => URL.parse(url)?.pathname.split('/').findLast(Boolean)
  return lastName(address) === lastName(excerpt)
}

const texts: { [Kind in Failure['kind']]: (failure: Extract<Failure, { kind: Kind }>) => FailureText } = {
  offline: (failure) =>
    failure.detail === 'ERR_INVALID_URL'
      ? { what: say.failures.badAddress(failure.address), next: say.failures.badAddressNext }
      : { what: say.failures.offline(failure.address), next: say.failures.offlineNext, raw: failure.detail },
  unencrypted: (failure) => ({
    what: say.failures.unencrypted(failure.address),
    next: say.failures.unencryptedNext,
  }),
  'signed-out': () => ({ what: say.failures.signedOut, next: say.failures.signedOutNext }),
  'wrong-password': () => ({ what: say.failures.wrongPassword, next: say.failures.wrongPasswordNext }),
  'shut-out': (failure) => ({
    what: say.failures.shutOut,
    next: failure.isOtherWay ? say.failures.otherWayNext : say.failures.shutOutNext,
    raw: failure.detail,
  }),
  'not-allowed': (failure) => ({
    what: say.failures.notAllowed,
    next: say.failures.notAllowedNext,
    raw: failure.detail,
  }),
  'not-found': (failure) =>
    failure.isRemoved === true
      ? { what: say.failures.removed(failure.what), next: say.failures.removedNext }
      : { what: say.failures.notFound(failure.what), next: say.failures.notFoundNext },
  refused: (failure) => {
    const lines = Object.entries(failure.fields).map(
      ([field, messages]) =>
        `${field === '' || field === 'detail' ? '' : `${shown.field(field)}: `}${messages.join(' ')}`,
    )
    return { what: `${say.failures.refused} ${lines.join(' ')}`, next: say.failures.refusedNext }
  },
  conflict: (failure) => ({
    what:
      entryIn(say.failures.conflicts, failure.detail) ??
      say.failures.conflict(stateOf(failure.detail).toLocaleLowerCase(document.documentElement.lang)),
    next: entryIn(say.failures.conflictsNext, failure.detail) ?? say.failures.conflictNext,
  }),
  'server-broke': (failure) => {
    const said = say.failures.server[failure.detail]
    return {
      what: typeof said === 'string' ? said : said(failure.status),
      next:
        failure.detail !== 'redirect'
          ? say.failures.serverNext
          : hasMoved(failure)
            ? say.failures.redirectNext
            : say.failures.otherWayNext,
      raw: `${failure.address}\n${failure.status || ''}\n${failure.excerpt}`.trim(),
    }
  },
  proxy: (failure) => ({
    what: say.failures.proxy[failure.trouble](failure.proxy),
    next: say.failures.proxyNext[failure.trouble],
    raw: failure.detail,
  }),
  disk: (failure) => ({
    what: say.failures.disk[failure.trouble](failure.path === '' ? say.failures.deskData : failure.path),
    next: say.failures.diskNext[failure.trouble],
  }),
  source: (failure) => {
    const others = (failure.others ?? []).map((other) => say.failures.source[other.trouble](other.path))
    return {
      what: say.failures.source[failure.trouble](failure.path),
      next: say.failures.sourceNext[failure.trouble],
      ...(others.length > 0 ? { more: others } : {}),
    }
  },
  'bad-package': (failure) => ({
    what: say.failures.badPackage(failure.path, failure.errors),
    next: say.failures.badPackageNext,
    raw: `${failure.first.file}: ${finding(failure.first)}`,
  }),
  counts: (failure) => ({
    what: say.failures.counts(failure.path),
    next: say.failures.countsNext,
    raw: JSON.stringify({ planned: failure.planned, found: failure.found }),
  }),
  recounted: (failure) => {
    const counted = ({ files, folders, bytes }: Extract<Failure, { kind: 'recounted' }>['now']) =>
      say.transfers.counts(files, folders, bytes)
    return {
      what: say.failures.recounted(counted(failure.before), counted(failure.now)),
      next: say.failures.recountedNext,
    }
  },
  profile: (failure) => ({
    what: say.failures.profileBroken,
    next: say.failures.profileBrokenNext,
    raw: failure.rules.map(({ rule, detail }) => `${rule}: ${detail}`).join('\n'),
  }),
  'bad-handover': (failure) => ({
    what: say.failures.badHandover(failure.path),
    next: say.failures.badHandoverNext,
    raw: failure.detail,
  }),
  'unreadable-job': (failure) => ({
    what: say.failures.unreadableJob,
    next: say.failures.unreadableJobNext,
    raw: failure.detail,
  }),
  'unknown-format': (failure) => ({
    what: say.failures.unknownFormat(failure.format),
    next: say.failures.unknownFormatNext,
  }),
  'other-archive': (failure) => ({
    // The two on this computer have names in the reader's language alone.
    what: say.failures.otherArchive(
      failure.archive === 'practice' ? say.archive.practice : failure.name || say.archive.onThisComputer,
    ),
    next: say.failures.otherArchiveNext,
  }),
  'bad-table': (failure) => ({
    what: say.failures.badTable(failure.path),
    next: say.failures.badTableNext,
    raw: failure.detail,
  }),
  'bad-searches': (failure) => ({
    what: say.failures.badSearches(failure.path),
    next: say.failures.badSearchesNext,
    raw: failure.detail,
  }),
  'bad-profile': (failure) => ({
    what: say.failures.badProfile(failure.path),
    next: say.failures.badProfileNext,
    raw: failure.detail,
  }),
  'bad-descriptive': (failure) => ({
    what: say.failures.badDescriptive(failure.path, failure.detail),
    next: say.failures.badDescriptiveNext,
  }),
  'not-ready': (failure) => ({
    what: say.transfers.needs(failure.missing.map((part) => say.transfers.missing[part])),
    next: say.failures.notReadyNext,
  }),
  'no-ingest-folder': (failure) => ({
    what: failure.path === null ? say.failures.noIngestUnknown : say.failures.noIngest(failure.path),
    next: say.failures.noIngestNext,
  }),
  'not-mounted': (failure) => ({
    what: say.failures.notMounted(failure.path, failure.mountPoint),
    next: say.failures.notMountedNext,
  }),
  unconfirmed: (failure) =>
    failure.what === 'registration'
      ? { what: say.failures.unconfirmedRegistration, next: say.failures.unconfirmedRegistrationNext }
      : failure.what === 'submission'
        ? {
            what: say.failures.unconfirmedSubmission,
            next: failure.mayBeSent
              ? say.failures.unconfirmedSubmissionNext
              : say.failures.unconfirmedSubmissionWait,
          }
        : {
            what: say.failures.unconfirmedPackage,
            next: failure.mayBeSent
              ? say.failures.unconfirmedPackageNext
              : say.failures.unconfirmedPackageWait,
          },
  'network-folder': (failure) => ({
    what: say.failures.networkFolder(failure.path),
    next: say.failures.networkFolderNext,
  }),
  'not-as-sent': (failure) => ({
    what: say.failures.notAsSent[failure.trouble](failure.path),
    next: say.failures.notAsSentNext,
  }),
  'local-archive': (failure) => ({
    what: say.failures.localArchive,
    next: say.failures.localArchiveNext,
    raw: failure.detail,
  }),
  'too-many-rows': (failure) => ({
    what: say.failures.tooManyRows(shown.number(failure.most)),
    next: say.failures.tooManyRowsNext,
  }),
  print: (failure) => ({ what: say.failures.print, next: say.failures.printNext, raw: failure.detail }),
  bug: (failure) => ({ what: say.failures.bug, next: say.failures.bugNext(failure.reference) }),
}

export const failureText = (failure: Failure): FailureText => {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- a text takes failures of the kind it is under
  const text = texts[failure.kind] as (failure: Failure) => FailureText
  return text(failure)
}
