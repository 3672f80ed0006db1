import { createHash, randomUUID } from 'node:crypto'
import path from 'node:path'
import holdings from '../../resources/sample-holdings.json' with { type: 'json' }
import type { Account } from './accounts.ts'
import { fillEventTypes, fillPolicy, fillStores, type Store } from './bare.ts'
import { checksum, isTape, storage } from './codes.ts'
import type { Body, Database } from './database.ts'
import { writeEvent } from './events.ts'
import { agentsOf, packageBody, withoutProfiles } from './packages.ts'
import { fillDescription } from './sample-description.ts'
import { fillVocabularies } from './vocabulary-defaults.ts'
import { profileTypes } from './resources/packages.ts'

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

/** The same text gives the same identifier, so that the sample is alike on every machine. */
const stable = (text: string) => {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
const digest = (text: string) => createHash('sha256').update(text).digest('hex')

const fillAgreements = ({ put }: Database, profiles: Record<string, string>) =>
  holdings.agreements.map(({ name, archivist }) =>
    put('submission agreement', {
      id: stable(`agreement ${name}`),
      name,
      published: true,
      type: 'Standard',
      status: 'Agreed',
      label: name,
      archivist_organization: archivist,
      ...Object.fromEntries(
        allProfiles
          .filter(
            (it) =>
              !/_description$|^event$|^validation$/.test(it) ||
              it === 'submit_description' ||
              it === 'archival_description',
          )
          .map((it) => [`include_profile_${it}`, includes.includes(it)]),
      ),
      ...Object.fromEntries(allProfiles.map((it) => [`profile_${it}`, profiles[it] ?? null])),
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
        id: stable(`${ip} ${type}`),
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

/**
 * Fills an empty archive with holdings that a town archive might have. They are descriptions only: no file of theirs lies in the
 * folders for copies. Bags that are sent to the archive afterwards are preserved for real beside them.
 */
export const fillSample = (database: Database, account: Account, data: string, ingest: string) =>
  database.together(() => {
    const { put, one, where } = database
    const made = new Date('2018-01-15T08:00:00+01:00')
    fillEventTypes(database)
    fillVocabularies(database)
    const methods = fillStores(database, data, stores, made)
    const standard = fillPolicy(database, 'Standard policy', methods, ingest)
    const twoTapes = put('storage policy', {
      ...standard,
      id: randomUUID(),
      policy_id: '2',
      policy_name: 'Disk and vault',
      storage_methods: [methods[0], methods[2]],
    })
    const policies = [standard, twoTapes]
    const profiles = Object.fromEntries(included.map((type) => [type, stable(`profile ${type}`)]))
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
    const agreements = fillAgreements(database, profiles)
    const types = [...new Set(holdings.deliveries.map(({ type }) => type))]
    types.forEach((name, index) => put('delivery type', { id: index + 1, name }))
    holdings.deliveries.forEach(({ name, type, description }, index) =>
      put('delivery', {
        id: index + 1,
        name,
        type: types.indexOf(type) + 1,
        description,
        producer_organization: null,
        submission_agreement: agreements[0]?.['id'] ?? null,
        reference_code: `L/${2026}/${index + 1}`,
      }),
    )

    for (const [index, item] of holdings.packages.entries()) {
      const policy = policies[item.policy] ?? standard
      const agreement = agreements[item.agreement]
      const aic = stable(`aic ${item.identifier}`)
      const agents = agentsOf({
        ARCHIVIST_ORGANIZATION: item.archivist,
        CREATOR_ORGANIZATION: item.archivist,
        SUBMITTER_ORGANIZATION: holdings.organization,
        SUBMITTER_INDIVIDUAL: item.submitter,
        PRESERVATION_ORGANIZATION: holdings.organization,
        ARCHIVIST_SOFTWARE: 'Lectern local archive',
      })
      const shared = {
        label: item.label,
        object_identifier_value: item.identifier,
        responsible: account.user,
        policy: policy['id'],
        agents,
        submission_agreement: agreement?.['id'],
        submission_agreement_locked: true,
      }
      // Records of children and of health are not for every reader.
      if (/Barnavård|Skolhälso/.test(item.label)) put('restriction', { id: aic })
      const first = item.generations[0]?.date
      const last = item.generations.at(-1)?.date
      put(
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
          start_date: first,
          end_date: last,
        }),
      )
      item.generations.forEach(({ date, bytes, files }, older) => {
        const id = stable(`${item.identifier} ${older + 1}`)
        const mets = { create_date: date, digest_algorithm: checksum.sha256 }
        const metsOf = (level: string, size: number) =>
          Object.fromEntries(
            Object.entries({ ...mets, size, digest: digest(`${level} ${id}`) }).map(([key, value]) => [
              `${level}_mets_${key}`,
              value,
            ]),
          )
        put(
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
            start_date: date,
            end_date: date,
            object_path: path.join(data, 'storage', 'disk-a', 'DISK-A', `${id}.tar`),
            first_generation: older === 0,
            last_generation: older === item.generations.length - 1,
            ...metsOf('content', 40_000 + files * 210),
            ...metsOf('package', 3_180),
            ...withoutProfiles,
            ...profileRelations(id, profiles, account.id),
          }),
        )
        // Every fifth oldest generation lacks its copy in the vault: something for the eye to find.
        const wanted = (policy['storage_methods'] as string[]).filter(
          (method) => one('storage method', method)?.['enabled'] === true,
        )
        const written = older === 0 && index % 5 === 0 ? wanted.slice(0, -1) : wanted
        for (const method of written) {
          const [relation] = where('storage relation', 'storage_method', method)
          const target = one('storage target', String(relation?.['storage_target']))
          const media = where('storage medium', 'storage_target', String(target?.['id']))
          const medium =
            media[
              Math.min(
                media.length - 1,
                Math.floor(((new Date(date).getFullYear() - 2017) / 10) * media.length),
              )
            ]
          if (!target || !medium) continue
          putObject(database, { id, date, target, medium })
        }
        const event = { package: id, by: String(account.user['username']) }
        writeEvent(database, new Date(date), 30200, {
          ...event,
          note: `Generation ${older + 1} of ${item.identifier}`,
        })
        writeEvent(database, new Date(date), 30300, {
          ...event,
          note: `Preserved in ${written.length} copies`,
        })
      })
    }
    fillDescription(database, account, made)
  })

const putObject = ({ put }: Database, at: { id: string; date: string; target: Body; medium: Body }) =>
  put('storage object', {
    id: stable(`${at.id} ${String(at.medium['medium_id'])}`),
    content_location_type: isTape(at.target['type']) ? storage.tape : storage.disk,
    content_location_value: path.join(
      String(at.target['target']),
      String(at.medium['medium_id']),
      `${at.id}.tar`,
    ),
    last_changed_local: at.date,
    last_changed_external: null,
    ip: at.id,
    medium_id: at.medium['medium_id'],
    target_name: at.target['name'],
    target_target: at.target['target'],
    storage_medium: at.medium['id'],
    container: true,
  })
