import { entryIn } from '../../common/records.ts'
import type { Label, PackageDraft, PackagePlan, PackageRecord, Provenance } from '../format.ts'
import { checkAlgorithms, checkSerialization, checkInfo, profileOf, type Profile } from './profile.ts'
import { writtenLabels, type Tag } from './tag-files.ts'

/** What the fields of a record are called in bag-info.txt (RFC 8493 2.2.2), in the order they stand there. */
const fields = [
  ['Source-Organization', 'organization'],
  ['Organization-Address', 'address'],
  ['Contact-Name', 'person'],
  ['Contact-Email', 'email'],
  ['External-Description', 'name'],
  ['External-Identifier', 'identifier'],
  ['Internal-Sender-Identifier', 'senderIdentifier'],
  ['Internal-Sender-Description', 'description'],
] as const satisfies [string, Exclude<keyof PackageRecord, 'transfer' | 'further'>][]

/** The label by which a bag names the profile that it meets (BagIt Profiles 1.4). */
export const profileLabel = 'BagIt-Profile-Identifier'

/** Labels that a draft has fields for, or that are filled in by themselves. */
const knownLabels = new Set(
  [...fields.map(([label]) => label), ...writtenLabels, profileLabel].map((label) => label.toLowerCase()),
)

/** No specification has this label; some producers name the archive's transfer so. */
const transferLabel = 'Transfer-Identifier'

/** Where a bag comes from; bag-info.txt has no label for whose archive it is of, nor for its dates. */
export const provenanceOf = ({ version, info }: { version: string; info: Label[] }): Provenance => ({
  type: `BagIt ${version}`,
  software: info.find(([label]) => label.toLowerCase() === 'bag-software-agent')?.[1] ?? '',
  archivist: '',
  start: '',
  end: '',
})

/** What bag-info.txt says of a bag: of labels that repeat, a field has the last value. */
export const recordOf = (labels: Label[]): PackageRecord => {
  const values = new Map(labels.map(([label, value]) => [label.toLowerCase(), value]))
  const valueOf = (label: string) => values.get(label.toLowerCase()) ?? ''
  return {
    organization: valueOf('Source-Organization'),
    address: valueOf('Organization-Address'),
    person: valueOf('Contact-Name'),
    email: valueOf('Contact-Email'),
    name: valueOf('External-Description'),
    identifier: valueOf('External-Identifier'),
    senderIdentifier: valueOf('Internal-Sender-Identifier'),
    transfer: valueOf(transferLabel),
    description: valueOf('Internal-Sender-Description'),
    further: labels.filter(([label]) => !knownLabels.has(label.toLowerCase())),
  }
}

const tagsOf = ({ record, made, software }: Omit<PackageDraft, 'sources'>, profile: Profile | undefined) => {
  const tags: Tag[] = [
    ...fields.map(([label, field]): Tag => [label, record[field]]),
    ['Bagging-Date', made.toISOString().slice(0, 10)],
    ['Bag-Software-Agent', software],
  ]
  if (profile) tags.push([profileLabel, profile['BagIt-Profile-Info']['BagIt-Profile-Identifier']])
  tags.push([transferLabel, record.transfer], ...record.further)
  // bag-info.txt has no empty values, so no rule of a profile is about one.
  return tags.filter(([, value]) => value.trim() !== '')
}

/**
 * What a draft will say in bag-info.txt, but for Payload-Oxum, which comes when it is packed; what its
 * profile asks for, and what the draft does not have yet of that.
 */
export const planOf = (draft: Omit<PackageDraft, 'sources'>): PackagePlan => {
  const profile = profileOf(draft.profile)
  const labels = tagsOf(draft, profile)
  if (!profile) return { labels, profile: null }
  const broken = [
    ...checkInfo(profile, [...labels, ['Payload-Oxum', '0.0']]),
    ...checkSerialization(profile, draft.form),
    ...checkAlgorithms(profile, draft.algorithms, draft.algorithms),
  ]
  const info = profile['BagIt-Profile-Info']
  const valuesOf = (label: string | null) => entryIn(profile['Bag-Info'], label ?? '')?.values
  return {
    labels,
    profile: {
      name: info['External-Description'] || info['BagIt-Profile-Identifier'],
      identifier: info['BagIt-Profile-Identifier'],
      fields: Object.entries(profile['Bag-Info'])
        .filter(([label]) => !knownLabels.has(label.toLowerCase()))
        .map(([label, { required, values, description }]) => ({
          label,
          isRequired: required,
          values: values ?? [],
          description,
        })),
      problems: broken.map(({ rule, label, detail }) => ({
        rule,
        label,
        // The field is named beside it.
        detail: rule === 'values' ? (valuesOf(label)?.join(', ') ?? '') : detail,
      })),
    },
  }
}
