import type { Body } from '../../electron/local-archive/database.ts'

/** A field of a profile's template, as the client that ESSArch ships draws it. */
const field = (key: string, label: string, more: Body = {}, options: Body = {}): Body => ({
  key,
  type: 'input',
  hidden: false,
  ngModelElAttrs: { 'uib-popover': label, 'popover-trigger': "'mouseenter'", 'popover-placement': 'bottom' },
  templateOptions: { type: 'text', label, disabled: false, required: false, ...options },
  ...more,
})
const yesOrNo = [
  { name: 'Yes', value: true },
  { name: 'No', value: false },
]

/** Templates of the profiles that describe a package, with the demo values of a stock site. */
export const templates: Record<string, Body[]> = {
  submit_description: [
    field('archivist_organization_name', 'Archival creator', { defaultValue: 'Förslagsmyndigheten' }),
    field('systemname', 'System', { defaultValue: 'W3D3' }, { disabled: true }),
  ],
  sip: [
    field('_SA_NAME', 'Submission Agreement', { hidden: true, defaultValue: '' }),
    field('archivist_organization_name', 'Archival creator', { defaultValue: 'Förslagsmyndigheten' }),
    field('START_DATE', 'First date', { defaultValue: '1995-01-01' }, { required: true }),
  ],
  aip: [
    field('archivist_organization_name', 'Archival creator', { defaultValue: 'Förslagsmyndigheten' }),
    field('index_files', 'Index files', { type: 'select', defaultValue: true }, { options: yesOrNo }),
  ],
}
