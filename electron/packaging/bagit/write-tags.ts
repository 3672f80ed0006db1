import { checksumBytes } from '../digests.ts'
import type { UnmetRule } from '../format.ts'
import type { AddFile } from '../pack/added-files.ts'
import type { CopiedPayload } from '../pack/copied-payload.ts'
import { manifestLine } from './manifest.ts'
import { checkProfile, profileOf } from './profile.ts'
import { bagInfo, declaration, type Tag } from './tag-files.ts'

const tableFolder = 'metadata'
const mostRules = 100

const infoOf = ({ labels, plan: { counts } }: CopiedPayload): Tag[] => [
  ...labels,
  ['Payload-Oxum', `${counts.bytes}.${counts.files}`],
]

const manifestOf = function* ({ plan: { spec }, files }: CopiedPayload, which: number) {
  const from = spec.algorithms.slice(0, which).reduce((sum, algorithm) => sum + checksumBytes[algorithm], 0)
  const to = from + checksumBytes[spec.algorithms[which] ?? 'sha256']
  for (const { name, digests } of files()) yield manifestLine(digests.toString('hex', from, to), name)
}

/**
 * Writes the tag files of a bag (RFC 8493 2.1.1, 2.1.3, 2.2): declaration, bag-info, tables, one manifest and
 * one tag manifest an algorithm. Every tag file but the tag manifests stands in these.
 * @returns the digest of the first manifest, which stands for all that the bag holds
 */
export const writeTags = (payload: CopiedPayload, add: AddFile): string => {
  const { algorithms } = payload.plan.spec
  const written = [
    add('bagit.txt', [declaration]),
    add('bag-info.txt', [bagInfo(infoOf(payload))]),
    ...payload.tables.map(({ name, text }) => add(`${tableFolder}/${name}`, text())),
    ...algorithms.map((algorithm, which) => add(`manifest-${algorithm}.txt`, manifestOf(payload, which))),
  ]
  for (const [which, algorithm] of algorithms.entries()) {
    add(
      `tagmanifest-${algorithm}.txt`,
      written.map(({ name, digests }) => manifestLine(digests[which] ?? '', name)),
    )
  }
  return written.find(({ name }) => name === `manifest-${algorithms[0] ?? ''}.txt`)?.digests[0] ?? ''
}

/** What the bag that is done breaks of its profile. */
export const unmetRules = (payload: CopiedPayload): UnmetRule[] => {
  const profile = profileOf(payload.profile)
  if (!profile) return []
  const { counts, spec } = payload.plan
  const tags = [
    'bagit.txt',
    'bag-info.txt',
    ...spec.algorithms.flatMap((algorithm) => [`manifest-${algorithm}.txt`, `tagmanifest-${algorithm}.txt`]),
    ...payload.tables.map(({ name }) => `${tableFolder}/${name}`),
  ]
  const facts = {
    info: infoOf(payload),
    version: '1.0',
    form: spec.form,
    tags: () => tags,
    counts: { files: counts.files, bytes: counts.bytes },
    payload: payload.names,
  }
  const first: UnmetRule[] = []
  for (const { rule, detail } of checkProfile(profile, facts)) {
    first.push({ rule, detail })
    if (first.length === mostRules) break
  }
  return first
}
