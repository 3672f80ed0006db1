import { isAlgorithm } from '../digests.ts'
import type { PackageFormat } from '../format.ts'
import { checkBag } from './check/check.ts'
import { planOf, provenanceOf, recordOf } from './describe.ts'
import { bagItFormat } from './layout.ts'
import { decodeName, readManifestLine } from './manifest.ts'
import { packBag } from './pack-bag.ts'
import { profileOf, readProfile } from './profile.ts'
import { unmetRules, writeTags } from './write-tags.ts'

/** BagIt, RFC 8493: written as 1.0, read from 0.93 on. */
export const bagIt: PackageFormat = {
  name: bagItFormat.name,
  payloadFolder: bagItFormat.payloadFolder,
  payloadPaths: /^data\//,
  hasRepresentations: false,
  sentForms: ['folder', 'tar', 'zip'],
  isNamedAsIdentifier: false,
  plan: planOf,
  write: (draft, target, options) => {
    const { sources, form, algorithms } = draft
    const profile = profileOf(draft.profile)
    const wanted = { sources, target, form, algorithms, info: planOf(draft).labels }
    return packBag(wanted, profile ? { ...options, profile } : options)
  },
  check: (path, { profile: text, ...options }) => {
    const profile = profileOf(text ?? null)
    return checkBag(path, profile ? { ...options, profile } : options)
  },
  describe: recordOf,
  provenanceOf,
  troubleOfProfile: (text) => {
    const read = readProfile(text)
    return 'wrong' in read ? read.wrong : null
  },
  manifestOf: (name, path) => {
    const isPayload = path.startsWith(`${bagItFormat.payloadFolder}/`)
    const [, tag, algorithm = ''] = /^(tag)?manifest-(.+)\.txt$/.exec(name) ?? []
    return isAlgorithm(algorithm) && isPayload === (tag === undefined) ? algorithm : undefined
  },
  readManifestLine: (line) => {
    const read = readManifestLine(line)
    return read && { digest: read.checksum, path: decodeName(read.written) }
  },
  isPackage: (entries) => entries.includes('bagit.txt'),
  addFiles: writeTags,
  unmetRules,
}
