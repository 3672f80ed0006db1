import { isFolderName } from '../../contract/identifier.ts'
import type { DraftProfile } from '../../contract/transfers.ts'
import type { Label, PackageDraft, PackagePlan, PackageRecord } from '../format.ts'
import { dublinCoreElements } from './dublin-core.ts'
import { eArkVersions, profileAddress, type EArkVersion } from './layout.ts'
import { contentCategories, contentInformationTypes } from './vocabularies.ts'

/** Identifiers of other records in the header of METS (CSIP, altRecordID; SIP4 to SIP7). */
export const alternativeIdentifiers = [
  'SUBMISSIONAGREEMENT',
  'PREVIOUSSUBMISSIONAGREEMENT',
  'REFERENCECODE',
  'PREVIOUSREFERENCECODE',
] as const

const archivist = 'ARCHIVIST ORGANIZATION'
const submitter = 'CREATOR ORGANIZATION'
const contact = 'CREATOR INDIVIDUAL'
/** Where an organization submits. */
const contactOfOrganization = 'OTHER INDIVIDUAL'
const software = 'CREATOR SOFTWARE'

/** Labels that a draft has fields for, or that are filled in by themselves. */
const knownLabels = new Set([
  'OBJID',
  'LABEL',
  'PROFILE',
  'CREATEDATE',
  'RECORDSTATUS',
  'OAISPACKAGETYPE',
  submitter,
  contact,
  contactOfOrganization,
  software,
  'address',
  'email',
  'dc:title',
  'dc:description',
  'dc:identifier',
])

/** Labels that an order can give values for, beside those of Dublin Core ("dc:subject"). */
export const orderedLabels: readonly string[] = [
  'OBJID',
  'LABEL',
  'TYPE',
  'CONTENTINFORMATIONTYPE',
  submitter,
  contact,
  'address',
  'email',
  archivist,
  ...alternativeIdentifiers,
]

/** The version of a draft; the usual one where it names none that is written. */
export const versionOf = (version: string | undefined): EArkVersion =>
  eArkVersions.find((known) => known === version) ?? eArkVersions[0]

/** What METS and Dublin Core say of a package: of labels that repeat, a field has the last value. */
export const recordOf = (labels: Label[]): PackageRecord => {
  const values = new Map(labels)
  const valueOf = (label: string) => values.get(label) ?? ''
  return {
    identifier: valueOf('OBJID'),
    name: valueOf('LABEL') || valueOf('dc:title'),
    description: valueOf('dc:description'),
    senderIdentifier: valueOf('dc:identifier'),
    transfer: '',
    organization: valueOf(submitter),
    address: valueOf('address'),
    person: valueOf(contact) || valueOf(contactOfOrganization),
    email: valueOf('email'),
    further: labels.filter(([label]) => !knownLabels.has(label)),
  }
}

const labelsOf = ({ record, made, software: program, version }: Omit<PackageDraft, 'sources'>): Label[] => {
  const labels: Label[] = [
    ['OBJID', record.identifier],
    ['LABEL', record.name],
    ['PROFILE', profileAddress(versionOf(version))],
    ['CREATEDATE', made.toISOString()],
    [software, program],
    [submitter, record.organization],
    ['address', record.address],
    [contact, record.person],
    ['email', record.email],
    ['dc:description', record.description],
    ['dc:identifier', record.senderIdentifier],
    ...record.further.filter(([label]) => !knownLabels.has(label)),
  ]
  return labels.filter(([, value]) => value.trim() !== '')
}

const field = (label: string, headings: string[], values: readonly string[] = []) => ({
  label,
  isRequired: false,
  values: [...values],
  description: '',
  headings,
})

const fields: DraftProfile['fields'] = [
  field('TYPE', ['content category', 'innehållskategori'], contentCategories),
  field('CONTENTINFORMATIONTYPE', ['content information type', 'innehållstyp'], contentInformationTypes),
  field(archivist, ['archival creator', 'creator', 'arkivbildare']),
  field('SUBMISSIONAGREEMENT', []),
  field('REFERENCECODE', ['reference code', 'referenskod', 'signum']),
  field('dc:subject', ['subject', 'subjects', 'ämne', 'ämnen', 'ämnesord']),
  field('dc:date', ['date', 'dates', 'datum', 'tid']),
  field('dc:language', ['language', 'språk']),
  field('dc:coverage', ['coverage', 'place', 'täckning', 'plats', 'ort']),
  field('dc:rights', ['rights', 'rättigheter']),
]

/** What a draft lacks of the rules of CSIP and SIP. */
const problemsOf = ({ record }: Omit<PackageDraft, 'sources'>): DraftProfile['problems'] => [
  // The root folder is named so (CSIP1).
  ...(record.identifier !== '' && !isFolderName(record.identifier)
    ? [{ rule: 'OBJID', label: null, detail: record.identifier }]
    : []),
  // Somebody submits (SIP15).
  ...(record.organization.trim() === '' && record.person.trim() === ''
    ? [{ rule: 'submitter', label: null, detail: '' }]
    : []),
  ...record.further
    .filter(([label]) => label.startsWith('dc:') && !dublinCoreElements.has(label.slice('dc:'.length)))
    .map(([label]) => ({ rule: 'element', label, detail: label })),
  ...fields
    .filter(({ label: of, values }) =>
      record.further.some(
        ([label, value]) => label === of && value !== '' && values.length > 0 && !values.includes(value),
      ),
    )
    .map(({ label, values }) => ({ rule: 'values', label, detail: values.join(', ') })),
]

/** What a draft will say in METS and Dublin Core, and what CSIP and SIP ask for that it does not have yet. */
export const planOf = (draft: Omit<PackageDraft, 'sources'>): PackagePlan => {
  const version = versionOf(draft.version)
  return {
    labels: labelsOf(draft),
    profile: {
      name: `E-ARK SIP ${version}`,
      identifier: profileAddress(version),
      fields,
      problems: problemsOf(draft),
    },
  }
}
