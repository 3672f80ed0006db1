import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

const moment = (day: number) => new Date(Date.UTC(2010, 0, 1) + day * 3_600_000).toISOString()
const idOf = (number: number, level: number) =>
  `${number.toString(16).padStart(8, '0')}-0000-4000-8000-${String(level).padStart(12, '0')}`

/** A package as the interface gives it, of about 5 kB. */
export const packageAt = (number: number) => ({
  id: idOf(number, 1),
  label: `Ritningar till kvarteret ${number % 977}, volym ${number}`,
  object_identifier_value: `SE/STA/${number}`,
  package_type: 2,
  package_type_display: 'AIP',
  responsible: {
    id: 1,
    username: 'archivist',
    first_name: 'Reading',
    last_name: 'Room',
    email: 'a@localhost',
    last_login: moment(number),
    date_joined: moment(0),
  },
  create_date: moment(number),
  entry_date: moment(number + 5),
  state: 'Preserved',
  status: 100,
  step_state: 'SUCCESS',
  archived: true,
  cached: false,
  aic: null,
  generation: 1,
  policy: idOf(1, 9),
  message_digest: number.toString(16).padStart(64, 'a'),
  message_digest_algorithm: 3,
  agents: Object.fromEntries(
    [
      'ARCHIVIST_ORGANIZATION',
      'CREATOR_ORGANIZATION',
      'SUBMITTER_ORGANIZATION',
      'SUBMITTER_INDIVIDUAL',
      'IPOWNER_ORGANIZATION',
      'PRESERVATION_ORGANIZATION',
    ].map((key, index) => [
      key,
      {
        id: number * 10 + index,
        role: key.split('_')[0],
        type: key.split('_')[1],
        name: `Byggnadsnämnden i Östra hamnen ${number % 300}`,
        code: `VAT:SE${number}`,
        notes: [{ note: 'ORG:202100' }],
      },
    ]),
  ),
  submission_agreement: idOf(1, 8),
  submission_agreement_locked: true,
  object_path: `/ess/data/store/disk1/${idOf(number, 1)}.tar`,
  object_size: 1_000_000 + number,
  object_num_items: 12,
  content_mets_create_date: moment(number),
  content_mets_size: 4000,
  content_mets_digest_algorithm: 3,
  content_mets_digest: 'b'.repeat(64),
  package_mets_create_date: moment(number),
  package_mets_size: 4000,
  package_mets_digest_algorithm: 3,
  package_mets_digest: 'c'.repeat(64),
  ...Object.fromEntries(
    [
      'aic_description',
      'aip',
      'aip_description',
      'content_type',
      'dip',
      'preservation_metadata',
      'sip',
      'submit_description',
      'transfer_project',
      'workflow',
    ].map((type, index) => [
      `profile_${type}`,
      {
        id: idOf(number, 20 + index),
        profile: idOf(index, 7),
        ip: idOf(number, 1),
        profile_name: `Stadsarkivet ${type}`,
        profile_type: type,
        included: true,
        LockedBy: 1,
        Unlockable: false,
        data_versions: [],
      },
    ]),
  ),
  workarea: [],
  first_generation: true,
  last_generation: true,
  start_date: moment(0),
  end_date: moment(number),
  appraisal_date: null,
  permissions: ['view_informationpackage', 'get_from_storage'],
  organization: { id: 1, name: 'Stadsarkivet' },
  new_version_in_progress: null,
  information_packages: [],
})

/** An AIC with its only generation in it, as ESSArch gives them: twice as long as a package alone. */
export const nestedPackageAt = (number: number) => {
  const aip = { ...packageAt(number), aic: idOf(number, 2) }
  return {
    ...packageAt(number),
    id: idOf(number, 2),
    package_type: 1,
    package_type_display: 'AIC',
    information_packages: [aip],
  }
}

/** What the list of packages shows of one alone: a million of them fill a local copy in a minute. */
export const smallPackageAt = (number: number) => {
  const {
    id,
    label,
    object_identifier_value,
    package_type_display,
    state,
    object_size,
    entry_date,
    policy,
    archived,
  } = packageAt(number)
  return {
    id,
    label,
    object_identifier_value,
    package_type_display,
    state,
    object_size,
    entry_date,
    policy,
    archived,
  }
}

/** Writes a list of so many packages as one array. */
export const writePackages = async (
  file: string,
  count: number,
  at: (number: number) => unknown = packageAt,
) => {
  const stream = createWriteStream(file)
  for (let number = 0; number < count; number += 1)
    if (!stream.write(`${number === 0 ? '[' : ','}${JSON.stringify(at(number))}`)) await once(stream, 'drain')
  await new Promise<void>((done) => {
    stream.end(count === 0 ? '[]' : ']', () => done())
  })
}
