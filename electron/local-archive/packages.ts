import { randomUUID } from 'node:crypto'
import { isRecord } from '../common/records.ts'
import { checksum } from './codes.ts'
import type { PackageRecord, Provenance } from '../packaging/format.ts'
import type { Body, Database } from './database.ts'
import { textOf } from './http/body-values.ts'

const profileTitles = [
  'Transfer Project',
  'Content Type',
  'Data Selection',
  'Authority Information',
  'Archival Description',
  'Import',
  'Submit Description',
  'SIP',
  'AIC Description',
  'AIP',
  'AIP Description',
  'DIP',
  'Workflow',
  'Preservation Metadata',
  'Event',
  'Validation',
]

/** Of a package to which no profile is attached (specification 2.9). */
export const withoutProfiles = Object.fromEntries(profileTitles.map((title) => [`profile_${title}`, null]))

const organization = { id: 1, name: 'Reading room', group_type: 1 }

const aicOf = (database: Database, identifier: string) =>
  database
    .where('information package', 'object_identifier_value', identifier)
    .find((body) => body['package_type'] === 1)

/** The generation that the next package with this identifier gets: 1 for a new one. */
export const nextGeneration = (database: Database, identifier: string) => {
  const aic = aicOf(database, identifier)
  const known = aic ? database.where('information package', 'aic', String(aic['id'])) : []
  return 1 + Math.max(0, ...known.map((body) => Number(body['generation'])))
}

/** Agents of a package by role and type (specification 2.10), from who is named. */
export const agentsOf = (names: Record<string, string | undefined>) =>
  Object.fromEntries(
    Object.entries(names)
      .filter(([, name]) => name !== undefined && name !== '')
      .map(([key, name], index) => {
        const [role, type] = key.split('_')
        return [key, { id: index + 1, role, type, name, code: '', notes: [] }]
      }),
  )

/** The fields that both levels share (specification 2.9), with what is the same for every package here. */
export const packageBody = (body: Body): Body => ({
  status: 100,
  step_state: 'SUCCESS',
  archived: false,
  cached: false,
  aic: null,
  generation: null,
  policy: null,
  message_digest: '',
  message_digest_algorithm: null,
  agents: {},
  submission_agreement: null,
  submission_agreement_locked: false,
  object_path: '',
  workarea: [],
  first_generation: false,
  last_generation: false,
  appraisal_date: null,
  organization,
  ...body,
})

/** A package that was preserved, and what its copies are. */
interface PreservedPackage {
  id: string
  identifier: string
  label: string
  generation: number
  made: Date
  responsible: Body
  transfer: Body | undefined
  record: PackageRecord
  provenance: Provenance
  items: number
  tar: { bytes: number; sha256: string; path: string }
  mets: { bytes: number; sha256: string }
  policy: Body
}

/** Whose records a package holds, as its AIC names it; nobody where none is known. */
const archivistOf = (aic: Body | undefined) => {
  const agents = aic?.['agents']
  const archivist = isRecord(agents) ? agents['ARCHIVIST_ORGANIZATION'] : undefined
  return isRecord(archivist) ? textOf(archivist['name']) : undefined
}

/** What the package and its AIC have in common. @param aic the one that is there already */
const sharedBody = (preserved: PreservedPackage, aic: Body | undefined) => {
  const { transfer, record, provenance } = preserved
  const submitted = (field: string) => (transfer ? textOf(transfer[field]) : undefined)
  return {
    label: preserved.label,
    object_identifier_value: preserved.identifier,
    responsible: preserved.responsible,
    entry_date: preserved.made.toISOString(),
    policy: preserved.policy['id'],
    agents: agentsOf({
      ARCHIVIST_ORGANIZATION: provenance.archivist || archivistOf(aic),
      SUBMITTER_ORGANIZATION: submitted('submitter_organization') || record.organization,
      SUBMITTER_INDIVIDUAL: submitted('submitter_individual_name') || record.person,
      ARCHIVIST_SOFTWARE: 'Lectern local archive',
    }),
    // Where it does not say when its contents are from, the day of packing is not that.
    start_date: provenance.start || (aic?.['start_date'] ?? null),
    end_date: provenance.end || (aic?.['end_date'] ?? null),
  }
}

const aipBody = (preserved: PreservedPackage, aic: Body | undefined, aicId: string): Body => {
  const { id, generation, made, mets, tar, items } = preserved
  const moment = made.toISOString()
  return packageBody({
    ...sharedBody(preserved, aic),
    id,
    package_type: 2,
    package_type_display: 'AIP',
    create_date: moment,
    state: 'Preserved',
    archived: true,
    aic: aicId,
    generation,
    message_digest: tar.sha256,
    message_digest_algorithm: checksum.sha256,
    object_path: tar.path,
    object_size: tar.bytes,
    object_num_items: items,
    first_generation: generation === 1,
    last_generation: true,
    content_mets_create_date: moment,
    content_mets_size: mets.bytes,
    content_mets_digest_algorithm: checksum.sha256,
    content_mets_digest: mets.sha256,
    package_mets_create_date: moment,
    package_mets_size: mets.bytes,
    package_mets_digest_algorithm: checksum.sha256,
    package_mets_digest: mets.sha256,
    ...withoutProfiles,
  })
}

/**
 * Enters a preserved package, and the AIC of its identifier where that is new, and moves "last generation" to
 * it. Call it inside a transaction.
 */
export const addPackage = (database: Database, preserved: PreservedPackage): Body => {
  const { put, where } = database
  const { identifier, label, tar } = preserved
  const moment = preserved.made.toISOString()
  const aic = aicOf(database, identifier)
  const aicId = aic ? String(aic['id']) : randomUUID()
  const earlier = where('information package', 'aic', aicId)
  for (const body of earlier)
    if (body['last_generation'] === true) put('information package', { ...body, last_generation: false })
  const aip = aipBody(preserved, aic, aicId)
  put('information package', aip)
  const known =
    aic ??
    packageBody({
      ...sharedBody(preserved, aic),
      id: aicId,
      package_type: 1,
      package_type_display: 'AIC',
      create_date: moment,
      state: '',
    })
  put('information package', {
    ...known,
    label,
    object_size: tar.bytes + earlier.reduce((sum, body) => sum + Number(body['object_size']), 0),
  })
  return aip
}
