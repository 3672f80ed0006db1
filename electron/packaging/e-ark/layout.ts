/** The name of the format, as it is kept with packages. */
export const eArkSip = 'e-ark-sip'

/** The versions of CSIP and SIP that are written, the usual one first. */
export const eArkVersions = ['2.2.0', '2.1.0'] as const
export type EArkVersion = (typeof eArkVersions)[number]

/** The profile that a METS of a version names (CSIP6, SIP2). */
export const profileAddress = (version: EArkVersion) =>
  `https://earksip.dilcis.eu/profile/E-ARK-SIP-v${version.replaceAll('.', '-')}.xml`

/** METS in the root folder, and in the folder of each representation (CSIPSTR1, CSIPSTR12). */
export const metsFile = 'METS.xml'
export const representationsFolder = 'representations'
export const descriptiveFolder = 'metadata/descriptive'
export const preservationFile = 'metadata/preservation/premis.xml'
export const documentationFolder = 'documentation'
export const schemasFolder = 'schemas'

/** The representation that sources lie in where nobody names another. */
export const usualRepresentation = 'rep1'

/** The folder that the files of a representation lie in (CSIPSTR11). */
export const dataFolder = (representation: string) => `${representationsFolder}/${representation}/data`
