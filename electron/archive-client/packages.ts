import * as v from 'valibot'
import type { MetsFile, Package, PackageAgent, Person, ProfileOfPackage } from '../contract/packages.ts'
import { algorithmName, packageTypeName } from './codes.ts'
import { joined, readRows, type ListDefinition } from './listing.ts'
import * as wire from './wire.ts'

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
  if (!digest && !made) return null
  return {
    made: typeof made === 'string' ? made : null,
    bytes: record[`${level}_mets_size`] as number | null,
    algorithm: algorithmName(record[`${level}_mets_digest_algorithm`]),
    digest: typeof digest === 'string' ? digest : '',
  }
}

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

/** Reads one package of either level. A record without an id throws; any other field may be missing. */
export const toPackage = (value: unknown): Package => {
  const it = v.parse(Wire, value)
  const beside = fieldsBeside(it)
  const attached = Object.entries(beside).filter(([key]) => key.startsWith('profile_'))
  const profiles = attached.map(([key, profile]) => ({ key, profile: toProfile(profile) }))
  const known = new Set([
    ...profiles.filter(({ profile }) => profile).map(({ key }) => key),
    ...attached.filter(([, profile]) => profile === null).map(([key]) => key),
  ])
  return {
    id: it.id,
    label: it.label,
    identifier: it.object_identifier_value,
    type: it.package_type_display || packageTypeName(it.package_type),
    state: it.state,
    stepState: it.step_state,
    status: it.status,
    archived: it.archived,
    cached: it.cached,
    aic: it.aic,
    generation: it.generation,
    isFirst: it.first_generation,
    isLast: it.last_generation,
    policy: it.policy,
    agreement: it.submission_agreement,
    isAgreementLocked: it.submission_agreement_locked,
    responsible: it.responsible && toPerson(it.responsible),
    organization: it.organization?.name ?? null,
    created: it.create_date,
    entered: it.entry_date,
    started: it.start_date,
    ended: it.end_date,
    appraised: it.appraisal_date,
    bytes: it.object_size,
    items: it.object_num_items,
    path: it.object_path,
    digest: it.message_digest,
    algorithm: algorithmName(it.message_digest_algorithm),
    contentMets: toMets(it, 'content'),
    packageMets: toMets(it, 'package'),
    agents: Object.entries(it.agents).map(toAgent),
    permissions: it.permissions,
    profiles: profiles.flatMap(({ profile }) => profile ?? []),
    profilesNotAttached: attached
      .filter(([, profile]) => profile === null)
      .map(([key]) => key.slice('profile_'.length)),
    workarea: it.workarea,
    newVersion: it.new_version_in_progress ?? null,
    unknown: Object.fromEntries(Object.entries(beside).filter(([key]) => !known.has(key))),
  }
}

const fieldsBeside = (it: object) => wire.fieldsBeside(it, named)

/** What a list shows and finds packages by. */
export interface PackageFacts {
  id: string
  type: string
  aic: string | null
  label: string
  identifier: string
  state: string
  stepState: string
  bytes: number
  generation: number | null
  isLast: boolean
  policy: string | null
  /** Where it names no policy of its own: the submission agreement that has one. */
  agreement: string | null
  archived: boolean
  /** When it was preserved, else made. */
  since: string
}

const Facts = v.looseObject(
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
  ]),
)

/** The facts alone, which is all that is needed of a package before it is opened. A record without an id throws. */
export const toFacts = (value: unknown): PackageFacts => {
  const it = v.parse(Facts, value)
  return {
    id: it.id,
    type: it.package_type_display || packageTypeName(it.package_type),
    aic: it.aic,
    label: it.label,
    identifier: it.object_identifier_value,
    state: it.state,
    stepState: it.step_state,
    bytes: it.object_size,
    generation: it.generation,
    isLast: it.last_generation,
    policy: it.policy,
    agreement: it.policy === null ? it.submission_agreement : null,
    archived: it.archived === true,
    since: it.entry_date ?? it.create_date ?? '',
  }
}

/** A package that stands in no AIC. */
const Loose = v.looseObject({ aic: v.nullish(v.literal('')) })
const Nesting = v.looseObject({ information_packages: v.array(v.unknown()) })

/** Every package the user may see: AICs, what is nested in them, and others, each as the archive gave it. */
export const informationPackages: ListDefinition<PackageFacts> = {
  path: 'information-packages/',
  // By default ESSArch lists AICs alone, with what is nested in them; what stands in none of them is in its flat view.
  beside: { path: 'information-packages/?view_type=flat', isWanted: (record) => v.is(Loose, record) },
  read: (element, from) => {
    const nesting = v.safeParse(Nesting, element)
    if (!nesting.success || nesting.output.information_packages.length === 0)
      return readRows('information-packages/', [element], toFacts, { from })
    const { information_packages: nested, ...own } = nesting.output
    const known = new Map<string | number, unknown>()
    return joined([
      readRows('information-packages/', [own], toFacts, { known, from }),
      readRows(`information-packages/[${from}].information_packages`, nested, toFacts, { known }),
    ])
  },
}
