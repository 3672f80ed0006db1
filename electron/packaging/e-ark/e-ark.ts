import type { PackageFormat } from '../format.ts'
import { checkEArk } from './check/check.ts'
import { planOf, recordOf } from './describe.ts'
import { digestInMets } from './digest-in-mets.ts'
import { dataFolder, eArkSip, metsFile, usualRepresentation, versionAt } from './layout.ts'
import { packSip } from './pack-sip.ts'
import { provenanceOf } from './provenance.ts'
import { readDescriptive } from './read-descriptive.ts'
import { namedInMets, rolesOfNamed } from './roles-in-mets.ts'
import { writeMetadata } from './write-metadata.ts'

/** E-ARK SIP with the CSIP of the same version: written as 2.2.0 or 2.1.0. */
export const eArk: PackageFormat = {
  name: eArkSip,
  payloadFolder: dataFolder(usualRepresentation),
  payloadPaths: /^representations\/[^/]+\/data\/./s,
  hasRepresentations: true,
  sentForms: ['folder', 'tar', 'zip'],
  // CSIP1.
  isNamedAsIdentifier: true,
  plan: planOf,
  write: packSip,
  check: checkEArk,
  describe: recordOf,
  provenanceOf,
  readDescriptive,
  versionAt,
  // What it has to meet is the specification itself.
  troubleOfProfile: () => 'E-ARK SIP',
  // METS names digests in elements, which no line of a manifest is.
  manifestOf: () => undefined,
  readManifestLine: () => undefined,
  description: {
    file: metsFile,
    digestOf: digestInMets,
    namedIn: namedInMets,
    rolesOf: rolesOfNamed,
  },
  isPackage: (entries) => entries.includes(metsFile),
  addFiles: writeMetadata,
  unmetRules: () => [],
}
