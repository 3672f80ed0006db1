import { entryIn } from '../../electron/common/records.ts'

/** What package formats are called, by their names in reports; no language has words of its own for them. */
const packageFormats: Readonly<Record<string, string>> = {
  bagit: 'BagIt',
  'e-ark-sip': 'E-ARK SIP',
  'e-ark-csip': 'E-ARK CSIP',
  'fgs-1': 'FGS Paketstruktur 1',
  mets: 'METS',
}

/** What the format of a report is called, with its version where that is known. */
export const formatWithVersion = (format: string, version: string): string =>
  [entryIn(packageFormats, format) ?? format, version].join(' ').trim()

/** What a draft can be packed as, and what there is to choose then: the formats of packaging/formats.ts. */
export interface DraftFormat {
  format: string
  version?: string
  name: string
  forms: readonly ('folder' | 'tar' | 'zip')[]
  /** Whether a folder has to be named as its identifier, so that it goes as one file under any other. */
  isNamedAsIdentifier: boolean
  /** Whether folders can be representations of their own. */
  hasRepresentations: boolean
  /** Whether a file of its own may describe it. */
  hasDescriptive: boolean
  /** Whether its files are listed in a manifest; else METS describes them. */
  hasManifest: boolean
  /** Whether a receiver may bring a profile of its own. */
  hasProfiles: boolean
}

const eArkSip = (version: string): DraftFormat => ({
  format: 'e-ark-sip',
  version,
  name: `E-ARK SIP ${version}`,
  forms: ['folder', 'tar', 'zip'],
  isNamedAsIdentifier: true,
  hasRepresentations: true,
  hasDescriptive: true,
  hasManifest: false,
  hasProfiles: false,
})

const usualFormat: DraftFormat = {
  format: 'bagit',
  name: 'BagIt',
  forms: ['folder', 'tar', 'zip'],
  isNamedAsIdentifier: false,
  hasRepresentations: false,
  hasDescriptive: false,
  hasManifest: true,
  hasProfiles: true,
}

export const draftFormats: readonly DraftFormat[] = [usualFormat, eArkSip('2.2.0'), eArkSip('2.1.0')]

/** What a draft is packed as; the first where it says nothing, and the first version of a format. */
export const draftFormatOf = ({ format, version }: { format?: string; version?: string }): DraftFormat =>
  draftFormats.find(
    (known) => known.format === format && (version === undefined || known.version === version),
  ) ?? usualFormat
