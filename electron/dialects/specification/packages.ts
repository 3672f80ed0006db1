import * as v from 'valibot'
import {
  packageActs,
  type MetsFile,
  type Package,
  type PackageAct,
  type PackageAgent,
  type PackageWork,
  type Person,
  type ProfileOfPackage,
} from '../../contract/packages.ts'
import { algorithmName, packageTypeName } from '../essarch/codes.ts'
import { keysOf } from '../../common/records.ts'
import { joined, readRows, type ListDefinition } from '../listing.ts'
import type { PackageFacts } from '../models.ts'
import * as wire from '../wire.ts'

const User = v.looseObject({
  id: wire.number,
  username: wire.text,
  first_name: wire.text,
  last_name: wire.text,
  email: wire.text,
  last_login: wire.maybeText,
  date_joined: wire.maybeText,
})
const Agent = v.looseObject({
  id: wire.maybeNumber,
  role: wire.text,
  type: wire.text,
  name: wire.text,
  code: wire.text,
  notes: v.optional(v.fallback(v.array(v.looseObject({ note: wire.text })), []), []),
})
const Profile = v.looseObject({
  id: wire.id,
  profile: wire.maybeId,
  profile_name: wire.text,
  profile_type: wire.text,
  included: v.optional(v.fallback(v.boolean(), false), false),
  LockedBy: wire.maybeNumber,
  Unlockable: v.optional(v.fallback(v.boolean(), false), false),
  data_versions: wire.texts,
})
const mets = (level: 'content' | 'package') => ({
  [`${level}_mets_create_date`]: wire.maybeText,
  [`${level}_mets_size`]: wire.maybeNumber,
  [`${level}_mets_digest_algorithm`]: wire.maybeNumber,
  [`${level}_mets_digest`]: wire.text,
})

/** The fields of specification 2.9; others are kept beside them. */
const named = {
  id: wire.id,
  label: wire.text,
  object_identifier_value: wire.text,
  package_type: wire.maybeNumber,
  package_type_display: wire.text,
  responsible: v.optional(v.fallback(v.nullable(User), null), null),
  create_date: wire.maybeText,
  entry_date: wire.maybeText,
  state: wire.text,
  status: wire.maybeNumber,
  step_state: wire.text,
  archived: wire.maybeFlag,
  cached: wire.maybeFlag,
  aic: wire.maybeId,
  generation: wire.maybeNumber,
  policy: wire.maybeId,
  message_digest: wire.text,
  message_digest_algorithm: wire.maybeNumber,
  agents: v.optional(v.fallback(v.record(v.string(), Agent), {}), {}),
  submission_agreement: wire.maybeId,
  submission_agreement_locked: wire.maybeFlag,
  object_path: wire.text,
  object_size: wire.number,
  object_num_items: wire.maybeNumber,
  workarea: v.optional(v.fallback(v.array(v.unknown()), []), []),
  first_generation: v.optional(v.fallback(v.boolean(), false), false),
  last_generation: v.optional(v.fallback(v.boolean(), false), false),
  start_date: wire.maybeText,
  end_date: wire.maybeText,
  appraisal_date: wire.maybeText,
  permissions: wire.texts,
  organization: v.optional(v.fallback(v.nullable(v.looseObject({ name: wire.text })), null), null),
  new_version_in_progress: wire.anything,
  information_packages: v.optional(v.fallback(v.array(v.unknown()), []), []),
  ...mets('content'),
  ...mets('package'),
}
const Wire = v.looseObject(named)

const toPerson = (user: v.InferOutput<typeof User>): Person => ({
  id: user.id,
  username: user.username,
  name: `${user.first_name} ${user.last_name}`.trim() || user.username,
  email: user.email,
  lastLogin: user.last_login,
  joined: user.date_joined,
})

const toAgent = ([key, agent]: [string, v.InferOutput<typeof Agent>]): PackageAgent => ({
  key,
  id: agent.id,
  role: agent.role,
  type: agent.type,
  name: agent.name,
  code: agent.code,
  notes: agent.notes.map(({ note }) => note),
})

const toMets = (record: Record<string, unknown>, level: 'content' | 'package'): MetsFile | null => {
  const digest = record[`${level}_mets_digest`]
  const made = record[`${level}_mets_create_date`]
  const bytes = record[`${level}_mets_size`]
  if (!digest && !made) return null
  return {
    made: typeof made === 'string' ? made : null,
    bytes: typeof bytes === 'number' ? bytes : null,
    algorithm: algorithmName(record[`${level}_mets_digest_algorithm`]),
    digest: typeof digest === 'string' ? digest : '',
  }
}

/** Archives name a kind of profile in two ways: `profile_AIP Description` and `profile_aip_description`. */
const kindOf = (key: string) => key.toLowerCase().replaceAll(' ', '_')

const toProfile = (value: unknown): ProfileOfPackage | undefined => {
  const read = v.safeParse(Profile, value)
  if (!read.success) return undefined
  const { id, profile, profile_name, profile_type, included, LockedBy, Unlockable, data_versions } =
    read.output
  return {
    id,
    profile: profile ?? '',
    name: profile_name,
    type: profile_type,
    included,
    lockedBy: LockedBy,
    isUnlockable: Unlockable,
    dataVersions: data_versions,
  }
}

/**
 * The permissions (specification 2.11, and those of ESSArch) of which one is enough for an act. An archive
 * may name a hundred and more, most of which are not about packages.
 */
const permitting: Record<PackageAct, string[]> = {
  view: ['view_informationpackage'],
  'open files': ['see_other_user_ip_files'],
  search: ['query'],
  fetch: ['get_from_storage'],
  order: ['prepare_order', 'add_order'],
  disseminate: ['prepare_dip'],
  send: ['add_informationpackage'],
  'begin generation': ['get_from_storage_as_new'],
  ingest: ['preserve'],
  change: ['change_informationpackage', 'change_sa', 'unlock_profile'],
  delete: ['delete_informationpackage'],
}

/** What takes these permissions beside that to delete (ESSArch answers 403 without them). */
const deletingTakes = {
  archived: 'delete_archived',
  first_generation: 'delete_first_generation',
  last_generation: 'delete_last_generation',
} as const

/** A preserved package stays as it is, and an AIC is no more than the family of what is preserved. */
const isDone = (act: PackageAct, { archived, state, package_type: type }: v.InferOutput<typeof Wire>) =>
  (act === 'ingest' || act === 'change') &&
  (isPreserved({ archived: archived === true, state }) || packageTypeName(type) === 'AIC')

const actsOf = (record: v.InferOutput<typeof Wire>): PackageAct[] => {
  const { permissions } = record
  const mayDelete = keysOf(deletingTakes).every(
    (fact) => record[fact] !== true || permissions.includes(deletingTakes[fact]),
  )
  return packageActs.filter(
    (act) =>
      permitting[act].some((permission) => permissions.includes(permission)) &&
      !isDone(act, record) &&
      (act !== 'delete' || mayDelete),
  )
}

/** By its state, which tells of work under way, and its last step, which alone tells of failure (ESSArch). */
const workOf = (state: string, stepState: string): PackageWork => {
  if (/^fail/i.test(stepState) || /^(fail|refus)/i.test(state)) return 'failed'
  return /ing$/i.test(state) || /^(started|pending)$/i.test(stepState) ? 'under way' : 'none'
}

/** Reads one package of either level. A record without an id throws; any other field may be missing. */
export const toPackage = (value: unknown): Package => {
  const record = v.parse(Wire, value)
  const beside = fieldsBeside(record)
  const attached = Object.entries(beside).filter(([key]) => key.startsWith('profile_'))
  const profiles = attached.map(([key, profile]) => ({ key, profile: toProfile(profile) }))
  const attachedKinds = new Set(profiles.flatMap(({ key, profile }) => (profile ? kindOf(key) : [])))
  const known = new Set([
    ...profiles.filter(({ profile }) => profile).map(({ key }) => key),
    ...attached.filter(([, profile]) => profile === null).map(([key]) => key),
  ])
  return {
    id: record.id,
    label: record.label,
    identifier: record.object_identifier_value,
    type: record.package_type_display || packageTypeName(record.package_type),
    state: record.state,
    stepState: record.step_state,
    work: workOf(record.state, record.step_state),
    status: record.status,
    archived: record.archived,
    cached: record.cached,
    aic: record.aic,
    generation: record.generation,
    isFirst: record.first_generation,
    isLast: record.last_generation,
    policy: record.policy,
    agreement: record.submission_agreement,
    isAgreementLocked: record.submission_agreement_locked,
    responsible: record.responsible && toPerson(record.responsible),
    organization: record.organization?.name ?? null,
    created: record.create_date,
    entered: record.entry_date,
    started: record.start_date,
    ended: record.end_date,
    appraised: record.appraisal_date,
    bytes: record.object_size,
    items: record.object_num_items,
    path: record.object_path,
    digest: record.message_digest,
    algorithm: algorithmName(record.message_digest_algorithm),
    contentMets: toMets(record, 'content'),
    packageMets: toMets(record, 'package'),
    agents: Object.entries(record.agents).map(toAgent),
    acts: actsOf(record),
    profiles: profiles.flatMap(({ profile }) => profile ?? []),
    profilesNotAttached: attached
      .filter(([key, profile]) => profile === null && !attachedKinds.has(kindOf(key)))
      .map(([key]) => key.slice('profile_'.length)),
    workarea: record.workarea,
    newVersion: record.new_version_in_progress ?? null,
    unknown: Object.fromEntries(Object.entries(beside).filter(([key]) => !known.has(key))),
  }
}

const fieldsBeside = (record: object) => wire.fieldsBeside(record, named)

// Not a loose one: that would copy every field of every package of a long list.
const Facts = v.object(
  v.entriesFromObjects([
    v.pick(Wire, [
      'id',
      'label',
      'object_identifier_value',
      'package_type',
      'package_type_display',
      'state',
      'step_state',
      'object_size',
      'aic',
      'generation',
      'last_generation',
    ]),
    v.pick(Wire, ['policy', 'submission_agreement', 'archived', 'entry_date', 'create_date']),
    v.object({ agents: v.optional(v.fallback(v.record(v.string(), v.unknown()), {}), {}) }),
  ]),
)

const Named = v.looseObject({ name: v.string() })

/** Whose records they are: the organization that is METS's archivist, else who made the package (2.10). */
const creatorOf = (agents: Record<string, unknown>): string => {
  const named = ['ARCHIVIST_ORGANIZATION', 'CREATOR_ORGANIZATION']
    .map((key) => v.safeParse(Named, agents[key]))
    .find(({ success }) => success)
  return named?.success === true ? named.output.name : ''
}

/**
 * The facts alone, which is all that is needed of a package before it is opened. A record without an id
 * throws.
 */
export const toFacts = (value: unknown): PackageFacts => {
  const facts = v.parse(Facts, value)
  return {
    id: facts.id,
    type: facts.package_type_display || packageTypeName(facts.package_type),
    aic: facts.aic,
    label: facts.label,
    identifier: facts.object_identifier_value,
    state: facts.state,
    stepState: facts.step_state,
    work: workOf(facts.state, facts.step_state),
    bytes: facts.object_size,
    generation: facts.generation,
    isLast: facts.last_generation,
    policy: facts.policy,
    agreement: facts.policy === null ? facts.submission_agreement : null,
    archived: facts.archived === true,
    since: facts.entry_date ?? facts.create_date ?? '',
    creator: creatorOf(facts.agents),
  }
}

/** By its flag, or by its state (specification 3). */
export const isPreserved = ({ archived, state }: Pick<PackageFacts, 'archived' | 'state'>): boolean =>
  archived || state === 'Preserved'

/** A package that stands in no AIC. */
const Loose = v.looseObject({ aic: v.nullish(v.literal('')) })
const Nesting = v.looseObject({ information_packages: v.array(v.unknown()) })
/** The same asked alone, which copies nothing. */
const Nested = v.object({ information_packages: v.pipe(v.array(v.unknown()), v.minLength(1)) })

/** Every package the user may see: AICs, what is nested in them, and others, each as the archive gave it. */
export const informationPackages: ListDefinition<PackageFacts> = {
  path: 'information-packages/',
  version: 3,
  pageOrder: { ordering: 'create_date' },
  // By default ESSArch lists AICs alone, with what is nested in them; what stands in none of them is in its
  // flat view.
  views: {
    path: 'information-packages/',
    beside: 'information-packages/?view_type=flat',
    // What was preserved has an AIC, but for packages of long ago.
    likely: 'information-packages/?view_type=flat&package_type_name_exclude=AIP',
    counted: 'information-packages/?view_type=flat&page_size=1',
    isWanted: (record) => v.is(Loose, record),
  },
  read: (element, from) => {
    if (!v.is(Nested, element)) return readRows('/api/information-packages/', [element], toFacts, { from })
    const { information_packages: nested, ...outer } = v.parse(Nesting, element)
    const known = new Map<string | number, unknown>()
    return joined([
      readRows('/api/information-packages/', [outer], toFacts, { known, from }),
      readRows(`/api/information-packages/[${from}].information_packages`, nested, toFacts, { known }),
    ])
  },
}
