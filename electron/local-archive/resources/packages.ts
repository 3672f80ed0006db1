import type { Body, Database } from '../database.ts'
import { choice, json, longText, text } from '../http/fields.ts'
import { randomUUID } from 'node:crypto'
import { packageSource } from '../package-source.ts'
import { LazyList } from '../http/write-json.ts'
import type { RequestContext, Resource } from './resource.ts'

/** Who may do what with a package (specification 2.11). */
const permissions = {
  // Who may see a package may see its files.
  reader: ['view_informationpackage', 'query', 'see_other_user_ip_files'],
  archivist: [
    'view_informationpackage',
    'query',
    'get_from_storage',
    'get_tar_from_storage',
    'add_informationpackage',
    'preserve',
    'receive',
    'transfer_sip',
    'diff-check',
    'see_other_user_ip_files',
  ],
  administrator: [
    'preserve',
    'add_to_ingest_workarea_as_tar',
    'get_tar_from_storage',
    'delete_informationpackage',
    'preserve_dip',
    'view_informationpackage',
    'submit_sip',
    'add_to_ingest_workarea',
    'get_from_storage_as_new',
    'see_other_user_ip_files',
    'delete_first_generation',
    'get_from_storage',
    'lock_sa',
    'query',
    'add_informationpackage',
    'see_all_in_workspaces',
    'can_receive_remote_files',
    'delete_last_generation',
    'receive',
    'create_sip',
    'set_uploaded',
    'change_sa',
    'unlock_profile',
    'diff-check',
    'prepare_ip',
    'delete_archived',
    'add_to_ingest_workarea_as_new',
    'change_informationpackage',
    'transfer_sip',
    'can_upload',
  ],
}

const showPackage = (body: Body, database: Database, { account }: RequestContext): Body => {
  const shown: Body = { ...body, permissions: permissions[account.role] }
  if (body['package_type'] !== 1) return shown
  return {
    ...shown,
    information_packages: new LazyList(() =>
      database
        .walkWhere('information package', 'aic', String(body['id']))
        .map((other) => ({ ...other, permissions: permissions[account.role] })),
    ),
    new_version_in_progress: null,
  }
}

/** Kinds of profiles (specification 2.12). */
export const profileTypes = [
  'action_workflow',
  'transfer_project',
  'content_type',
  'data_selection',
  'authority_information',
  'archival_description',
  'import',
  'submit_description',
  'sip',
  'aic_description',
  'aip',
  'aip_description',
  'dip',
  'workflow',
  'preservation_metadata',
  'event',
  'validation',
]
const lines = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, text()]))

/** Packages, agreements and profiles (specification 2.8, 2.9, 2.12). */
export const packages: Record<string, Resource> = {
  'information-packages': {
    kind: 'information package',
    show: showPackage,
    source: ({ sqlite }, { account }) => packageSource(sqlite, permissions[account.role], account),
  },
  'submission-agreements': { kind: 'submission agreement' },
  profiles: {
    kind: 'profile',
    fields: {
      name: text(true),
      profile_type: choice(profileTypes),
      type: text(),
      status: text(),
      label: text(),
      ...lines(
        'representation_info preservation_descriptive_info supplemental access_constraints ' +
          'datamodel_reference',
      ),
      ...lines('cm_release_date cm_change_authority cm_change_description cm_sections_affected cm_version'),
      additional: longText(),
      submission_method: text(),
      submission_schedule: text(),
      submission_data_inventory: text(),
      structure: json(),
      template: json(),
    },
    make: (values) => ({
      id: randomUUID(),
      ...values,
      structure: values['structure'] ?? [],
      template: values['template'] ?? [],
    }),
  },
}
