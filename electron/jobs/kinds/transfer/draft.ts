import { randomUUID } from 'node:crypto'
import type { PackingSettings, TransferForm } from '../../../contract/transfers.ts'
import type { CacheOf } from '../../../store/cache/caches.ts'
import type { DeskStore, KeptTransfer } from '../../../store/desk/desk-store.ts'
import { nothing } from './sources.ts'

/** The only agreement of an archive, which need not be chosen; empty where there are more, or none. */
export const onlyAgreement = (agreements: readonly { id: string }[]): string =>
  agreements.length === 1 ? (agreements[0]?.id ?? '') : ''

/** As the last one was packed, but as one file: each by itself is chosen for what is in them. */
const proposed = (packing: PackingSettings): PackingSettings => {
  const like = { ...packing }
  delete like.upload
  return like
}

/**
 * A transfer as a draft again, without its package. What an attempt over the interface left in the archive
 * is noted, with its identifier: the draft may be given another.
 */
export const reopened = (kept: KeptTransfer, isOverInterface: boolean): KeptTransfer => ({
  ...kept,
  state: 'draft',
  sip: null,
  failure: null,
  sending: null,
  isWaiting: false,
  remote: null,
  formerRegistrations: (kept.formerRegistrations ?? 0) + (kept.remote === null ? 0 : 1),
  refusedPackage: isOverInterface ? (kept.remote ?? kept.refusedPackage ?? null) : null,
  refusedIdentifier: (kept.remote === null ? kept.refusedIdentifier : undefined) ?? kept.form.identifier,
  steps: [],
  ingestFolder: null,
  times: { prepared: null, sent: null, received: null, preserved: null },
})

interface Blank {
  archive: string
  id: string
  now: Date
  /** Those of the archive: the only one need not be chosen. */
  agreements?: readonly { id: string }[]
}

/** A draft with nothing in it, with what the last one said of the sender and how it was packed. */
export const blankDraft = (
  store: Pick<DeskStore, 'latestTransfer'>,
  { archive, id, now, agreements = [] }: Blank,
): KeptTransfer => {
  const moment = now.toISOString()
  const last = store.latestTransfer(archive)
  const { organization = '', address = '', person = '' } = last?.form ?? {}
  return {
    id,
    archive,
    state: 'draft',
    made: moment,
    changed: moment,
    sources: [],
    counts: nothing,
    sip: null,
    form: {
      name: '',
      delivery: '',
      agreement: last?.form.agreement || onlyAgreement(agreements),
      description: '',
      identifier: id,
      organization,
      address,
      person,
      // Whose address it is nobody asked: who sends today says it.
      email: '',
      tags: {},
    },
    packing: {
      ...(last ? proposed(last.packing) : { form: 'folder', algorithm: 'sha256', isPolite: false }),
      formatProposedBy: 'desk',
    },
    profileText: last?.profileText ?? null,
    descriptive: null,
    isPaused: false,
    handedOver: null,
    times: { prepared: null, sent: null, received: null, preserved: null },
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
  }
}

/** A blank draft under an identifier of its own, which a person begins. */
export const newDraft = (
  { store, cacheOf, now }: { store: Pick<DeskStore, 'latestTransfer'>; cacheOf: CacheOf; now: Date },
  archive: string,
): KeptTransfer =>
  blankDraft(store, { archive, id: randomUUID(), now, agreements: cacheOf(archive).some('agreements', 2) })

/** Whether nothing was said of a draft and nothing is in it, so that nobody would miss it. */
const isUntouched = ({ id, state, form, sources, descriptive, packing }: KeptTransfer): boolean =>
  state === 'draft' &&
  packing.formatProposedBy !== undefined &&
  sources.length === 0 &&
  descriptive === null &&
  !form.generationOf &&
  form.identifier === id &&
  [form.name, form.description, form.delivery, form.email, ...Object.values(form.tags)]
    .concat(Object.values(form.agreementValues ?? {}))
    .every((text) => text.trim() === '')

/** The draft that was begun last, where nothing was said of it: who begins another goes on with that. */
export const untouchedDraft = (
  store: Pick<DeskStore, 'latestTransfer'>,
  archive: string,
): KeptTransfer | undefined => {
  const last = store.latestTransfer(archive)
  return last && isUntouched(last) ? last : undefined
}

/** With the format as a person chose it. */
export const chosen = ({ formatProposedBy: _former, ...packing }: PackingSettings): PackingSettings => packing

/** How a person arranged it: the format is theirs once they chose another than was proposed. */
export const arranged = (before: PackingSettings, after: PackingSettings): PackingSettings =>
  before.format === after.format && before.version === after.version ? after : chosen(after)

/** A new draft with the form and packing of another, but for its name and identifier. */
export const draftLike = (
  { form, packing, profileText }: KeptTransfer,
  begun: KeptTransfer,
): KeptTransfer => {
  const like = { ...form, name: '', identifier: begun.id }
  // The next one is a package of its own.
  delete like.generationOf
  return { ...begun, packing: chosen(packing), profileText, form: like }
}

/** What of a form says where a package goes, and is no part of the package. */
export const destinationOf = ({ delivery, agreement, agreementValues }: TransferForm) => ({
  delivery,
  agreement,
  ...(agreementValues ? { agreementValues } : {}),
})

/** What has to be chosen before a transfer can be sent. */
export const lackedBy = ({ generationOf, agreement, delivery }: TransferForm, isOverInterface: boolean) => {
  if (generationOf) return null
  if (isOverInterface) return agreement === '' ? 'agreement' : null
  return delivery === '' ? 'delivery' : null
}
