import { createHash, randomUUID } from 'node:crypto'
import path from 'node:path'
import holdings from '../../../resources/sample-holdings.json' with { type: 'json' }
import type { Account } from '../accounts/accounts.ts'
import { fillEventTypes, fillPolicy, fillStores, type Store } from '../empty-archive.ts'
import { contentsDates } from '../contents-dates.ts'
import { checksum, isTape, storage } from '../codes.ts'
import type { Body, Database } from '../database.ts'
import { writeEvent } from '../events.ts'
import { agentsOf, packageBody, withoutProfiles } from '../packages.ts'
import { fillDescription } from './sample-description.ts'
import { stableId } from './stable-id.ts'
import { fillVocabularies } from '../vocabulary-defaults.ts'
import { profileTypes } from '../resources/packages.ts'
import { idsIn } from '../http/body-values.ts'

const tape = (number: number, status: 20 | 30, share: number) => ({
  name: `LTO-0${number}`,
  status,
  usedBytes: Math.round(share * 6e12),
})

const stores: Store[] = [
  {
    method: 'Disk',
    target: 'disk-a',
    type: storage.disk,
    room: 'Server room 2',
    locationStatus: 30,
    enabled: true,
    media: [{ name: 'DISK-A', status: 20, usedBytes: 7.44e12 }],
    capacityBytes: 8e12,
  },
  {
    method: 'Tape',
    target: 'lto-robot',
    type: storage.tape,
    room: 'Tape room',
    locationStatus: 50,
    enabled: true,
    media: [
      tape(414, 30, 1),
      tape(415, 30, 0.99),
      tape(416, 30, 0.98),
      tape(417, 30, 1),
      tape(418, 20, 0.61),
    ],
    capacityBytes: 6e12,
  },
  {
    method: 'Rock vault',
    target: 'lto-vault',
    type: storage.tape,
    room: 'Rock vault, Säter',
    locationStatus: 30,
    enabled: true,
    media: [tape(868, 30, 0.99), tape(869, 30, 1), tape(870, 30, 0.97), tape(871, 20, 0.22)],
    capacityBytes: 6e12,
  },
  {
    method: 'Off-site object store',
    target: 's3-lund',
    type: storage.disk,
    room: 'Lund',
    locationStatus: 30,
    enabled: false,
    media: [],
    capacityBytes: 0,
  },
]

const includes = [
  'transfer_project',
  'submit_description',
  'sip',
  'aip',
  'dip',
  'workflow',
  'preservation_metadata',
]
const included = [
  'aic_description',
  'aip',
  'aip_description',
  'dip',
  'workflow',
  'transfer_project',
  'submit_description',
  'sip',
  'preservation_metadata',
]
/** A package has one of each, but for the workflow of an action. */
const allProfiles = profileTypes.filter((type) => type !== 'action_workflow')

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

const fillAgreements = ({ put }: Database, profiles: Record<string, string>) =>
  holdings.agreements.map(({ name, archivist }) =>
    put('submission agreement', {
      id: stableId(`agreement ${name}`),
      name,
      published: true,
      type: 'Standard',
      status: 'Agreed',
      label: name,
      archivist_organization: archivist,
      ...Object.fromEntries(
        allProfiles
          .filter(
            (profile) =>
              !/_description$|^event$|^validation$/.test(profile) ||
              profile === 'submit_description' ||
              profile === 'archival_description',
          )
          .map((profile) => [`include_profile_${profile}`, includes.includes(profile)]),
      ),
      ...Object.fromEntries(allProfiles.map((profile) => [`profile_${profile}`, profiles[profile] ?? null])),
      template: [
        {
          key: 'archivist',
          type: 'input',
          templateOptions: { type: 'text', required: true, label: 'Archivist' },
        },
      ],
    }),
  )

const profileRelations = (ip: string, profiles: Record<string, string>, user: number) =>
  Object.fromEntries(
    included.map((type) => [
      `profile_${type}`,
      {
        id: stableId(`${ip} ${type}`),
        profile: profiles[type],
        ip,
        profile_name: `${holdings.organization} ${type.replaceAll('_', ' ')}`,
        profile_type: type,
        included: true,
        LockedBy: user,
        Unlockable: false,
        data_versions: [],
      },
    ]),
  )

const fillProfiles = ({ put }: Database): Record<string, string> => {
  const profiles = Object.fromEntries(included.map((type) => [type, stableId(`profile ${type}`)]))
  for (const [type, id] of Object.entries(profiles))
    put('profile', {
      id,
      profile_type: type,
      name: `${holdings.organization} ${type.replaceAll('_', ' ')}`,
      type: 'Standard',
      status: 'Agreed',
      label: type.replaceAll('_', ' ').toUpperCase(),
      structure: [],
      template: [],
    })
  return profiles
}

const fillDeliveries = ({ put }: Database, agreement: Body | undefined) => {
  const types = [...new Set(holdings.deliveries.map(({ type }) => type))]
  types.forEach((name, index) => put('delivery type', { id: index + 1, name }))
  holdings.deliveries.forEach(({ name, type, description }, index) =>
    put('delivery', {
      id: index + 1,
      name,
      type: types.indexOf(type) + 1,
      description,
      producer_organization: null,
      submission_agreement: agreement?.['id'] ?? null,
      reference_code: `L/${2026}/${index + 1}`,
    }),
  )
}

type Item = (typeof holdings.packages)[number]
type Generation = Item['generations'][number]

/** What the packages of the sample refer to. */
interface SampleContext {
  database: Database
  account: Account
  data: string
  policies: Body[]
  agreements: Body[]
  profiles: Record<string, string>
}

/** What every generation of a package and their AIC have in common. */
const sharedBody = (item: Item, policy: Body | undefined, { account, agreements }: SampleContext) => ({
  label: item.label,
  object_identifier_value: item.identifier,
  responsible: account.user,
  policy: policy?.['id'],
  agents: agentsOf({
    ARCHIVIST_ORGANIZATION: item.archivist,
    CREATOR_ORGANIZATION: item.archivist,
    SUBMITTER_ORGANIZATION: holdings.organization,
    SUBMITTER_INDIVIDUAL: item.submitter,
    PRESERVATION_ORGANIZATION: holdings.organization,
    ARCHIVIST_SOFTWARE: 'Lectern local archive',
  }),
  submission_agreement: agreements[item.agreement]?.['id'],
  submission_agreement_locked: true,
  ...contentsDates(item.label),
})

const metsFields = (level: string, id: string, date: string, size: number) => ({
  [`${level}_mets_create_date`]: date,
  [`${level}_mets_digest_algorithm`]: checksum.sha256,
  [`${level}_mets_size`]: size,
  [`${level}_mets_digest`]: digest(`${level} ${id}`),
})

/** The copies of a generation: one by each of these storage methods. */
const putCopies = (database: Database, id: string, date: string, methods: string[]) => {
  const { one, where } = database
  for (const method of methods) {
    const [relation] = where('storage relation', 'storage_method', method)
    const target = one('storage target', String(relation?.['storage_target']))
    const media = where('storage medium', 'storage_target', String(target?.['id']))
    const filled = Math.floor(((new Date(date).getFullYear() - 2017) / 10) * media.length)
    const medium = media[Math.min(media.length - 1, filled)]
    if (target && medium) putObject(database, { id, date, target, medium })
  }
}

interface Nth {
  item: Item
  /** Its place among the packages, and among the generations of its package. */
  index: number
  older: number
  aic: string
  policy: Body | undefined
  shared: ReturnType<typeof sharedBody>
}

const putGeneration = (
  { date, bytes, files }: Generation,
  { item, index, older, aic, policy, shared }: Nth,
  { database, account, data, profiles }: SampleContext,
) => {
  const id = stableId(`${item.identifier} ${older + 1}`)
  database.put(
    'information package',
    packageBody({
      ...shared,
      id,
      package_type: 2,
      package_type_display: 'AIP',
      create_date: date,
      entry_date: date,
      state: 'Preserved',
      archived: true,
      aic,
      generation: older + 1,
      message_digest: digest(id),
      message_digest_algorithm: checksum.sha256,
      object_size: bytes,
      object_num_items: files,
      object_path: path.join(data, 'storage', 'disk-a', 'DISK-A', `${id}.tar`),
      first_generation: older === 0,
      last_generation: older === item.generations.length - 1,
      ...metsFields('content', id, date, 40_000 + files * 210),
      ...metsFields('package', id, date, 3_180),
      ...withoutProfiles,
      ...profileRelations(id, profiles, account.id),
    }),
  )
  // Every fifth oldest generation lacks its copy in the vault: something for the eye to find.
  const wanted = idsIn(policy?.['storage_methods']).filter(
    (method) => database.one('storage method', method)?.['enabled'] === true,
  )
  const written = older === 0 && index % 5 === 0 ? wanted.slice(0, -1) : wanted
  putCopies(database, id, date, written)
  const event = (code: 30200 | 30300, note: string) =>
    writeEvent(database, new Date(date), code, { package: id, by: String(account.user['username']), note })
  event(30200, `Generation ${older + 1} of ${item.identifier}`)
  event(30300, `Preserved in ${written.length} copies`)
}

/** A package: its AIC, and its generations with their copies and events. */
const putPackage = (item: Item, index: number, context: SampleContext) => {
  const { database, policies } = context
  const policy = policies[item.policy] ?? policies[0]
  const aic = stableId(`aic ${item.identifier}`)
  const shared = sharedBody(item, policy, context)
  // Records of children and of health are not for every reader.
  if (/Barnavård|Skolhälso/.test(item.label)) database.put('restriction', { id: aic })
  const first = item.generations[0]?.date
  database.put(
    'information package',
    packageBody({
      ...shared,
      id: aic,
      package_type: 1,
      package_type_display: 'AIC',
      create_date: first,
      entry_date: first,
      state: '',
      object_size: item.generations.reduce((sum, { bytes }) => sum + bytes, 0),
    }),
  )
  item.generations.forEach((generation, older) =>
    putGeneration(generation, { item, index, older, aic, policy, shared }, context),
  )
}

/**
 * Fills an empty archive with holdings that a town archive might have. They are descriptions only: no file of
 * theirs lies in the folders for copies. Packages that are sent to the archive afterwards are preserved for
 * real beside them.
 */
export const fillSample = (database: Database, account: Account, data: string, ingest: string) =>
  database.transaction(() => {
    const made = new Date('2018-01-15T08:00:00+01:00')
    fillEventTypes(database)
    fillVocabularies(database)
    const methods = fillStores(database, data, stores, made)
    const standard = fillPolicy(database, 'Standard policy', methods, ingest)
    const twoTapes = database.put('storage policy', {
      ...standard,
      id: randomUUID(),
      policy_id: '2',
      policy_name: 'Disk and vault',
      storage_methods: [methods[0], methods[2]],
    })
    const profiles = fillProfiles(database)
    const agreements = fillAgreements(database, profiles)
    fillDeliveries(database, agreements[0])
    const context = {
      database,
      account,
      data,
      policies: [standard, twoTapes],
      agreements,
      profiles,
    }
    for (const [index, item] of holdings.packages.entries()) putPackage(item, index, context)
    fillDescription(database, account, made)
  })

const putObject = ({ put }: Database, place: { id: string; date: string; target: Body; medium: Body }) =>
  put('storage object', {
    id: stableId(`${place.id} ${String(place.medium['medium_id'])}`),
    content_location_type: isTape(place.target['type']) ? storage.tape : storage.disk,
    content_location_value: path.join(
      String(place.target['target']),
      String(place.medium['medium_id']),
      `${place.id}.tar`,
    ),
    last_changed_local: place.date,
    last_changed_external: null,
    ip: place.id,
    medium_id: place.medium['medium_id'],
    target_name: place.target['name'],
    target_target: place.target['target'],
    storage_medium: place.medium['id'],
    container: true,
  })
