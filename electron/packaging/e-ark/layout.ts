/** The name of the format, as it is kept with packages. */
export const eArkSip = 'e-ark-sip'

/** The versions of CSIP and SIP that are written, the usual one first. */
export const eArkVersions = ['2.2.0', '2.1.0'] as const
export type EArkVersion = (typeof eArkVersions)[number]

/** The profile that a METS of a version names (CSIP6, SIP2). */
export const profileAddress = (version: EArkVersion) =>
  `https://earksip.dilcis.eu/profile/E-ARK-SIP-v${version.replaceAll('.', '-')}.xml`

/**
 * The version that is written where the profile of this address is asked for: the usual one for the address
 * without a version, which stood for the newest; undefined where it is of another, or no such address.
 */
export const versionAt = (profile: string): EArkVersion | undefined =>
  /^https?:\/\/earksip\.dilcis\.eu\/profile\/E-ARK-SIP\.xml$/.test(profile)
    ? eArkVersions[0]
    : eArkVersions.find((version) => profileAddress(version) === profile.replace(/^http:/, 'https:'))

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
