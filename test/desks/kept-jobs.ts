import { listNames } from '../../electron/contract/lists.ts'
import type { Creation } from '../../electron/contract/outbox.ts'
import type { Creations } from '../../electron/jobs/kinds/creation/creations.ts'
import type { Sip } from '../../electron/contract/transfers.ts'
import type { DeskStore, KeptCreation, KeptTransfer } from '../../electron/store/desk/desk-store.ts'
import { openJobScans } from '../../electron/store/desk/job-scans.ts'

/** A creation that waits to be sent, as a desk keeps it. */
export const waitingCreation = (id: string, change: Partial<KeptCreation> = {}): KeptCreation => ({
  id,
  archive: 'a',
  list: 'metric-types',
  title: id,
  made: '1',
  fields: [],
  values: { name: id },
  state: 'waiting',
  before: null,
  body: null,
  attempts: 0,
  nextAt: null,
  failure: null,
  remote: null,
  ...change,
})

/** A transfer that is packed and not sent yet, as a desk keeps it. */
export const preparedTransfer = (
  { id, name, made = '' }: { id: string; name: string; made?: string },
  sip: Pick<Sip, 'path' | 'counts' | 'manifest' | 'content'> & Partial<Sip>,
): KeptTransfer => {
  const packed: Sip = { form: 'folder', algorithm: 'sha256', skipped: 0, formats: null, ...sip }
  return {
    id,
    archive: 'a',
    state: 'prepared',
    made,
    changed: made,
    sources: [],
    counts: sip.counts,
    sip: packed,
    form: {
      name,
      delivery: '1',
      agreement: '',
      organization: '',
      address: '',
      person: '',
      email: '',
      description: '',
      identifier: id,
      tags: {},
    },
    times: { prepared: made, sent: null, received: null, preserved: null },
    remote: null,
    package: null,
    compared: null,
    failure: null,
    sending: null,
    ingestFolder: null,
    before: [],
    isWaiting: false,
    attempts: 0,
    nextAt: null,
    packing: { form: packed.form, algorithm: 'sha256', isPolite: false },
    profileText: null,
    descriptive: null,
    isPaused: false,
    handedOver: null,
  }
}

/** Every job of a kind that a desk keeps for an archive, in the order of the list. */
export const keptJobs = ({ database }: Pick<DeskStore, 'database'>) => openJobScans(database)

/** Every creation of an archive as the outbox shows it, in the order of sending. */
export const shownCreations = (
  store: Pick<DeskStore, 'database'>,
  creations: Pick<Creations, 'of'>,
  archive = 'a',
): Creation[] => {
  const shown = new Map(
    listNames
      .flatMap((list) => creations.of(archive, list, 1_000))
      .map((creation) => [creation.id, creation]),
  )
  return keptJobs(store)
    .creations(archive)
    .flatMap(({ id }) => shown.get(id) ?? [])
}
