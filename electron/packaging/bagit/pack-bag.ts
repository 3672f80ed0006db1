import type { WritableAlgorithm } from '../digests.ts'
import { packSources, type Packed, type PackingOptions } from '../pack/pack.ts'
import type { Serialization } from '../pack/plan.ts'
import { bagItFormat } from './layout.ts'
import type { Profile } from './profile.ts'
import type { Tag } from './tag-files.ts'

export interface Wanted {
  sources: string[]
  /** Where the bag goes, with its ending; nothing may be there. */
  target: string
  form: Serialization
  algorithms: WritableAlgorithm[]
  /** Labels and values of bag-info.txt; Payload-Oxum is added. */
  info: Tag[]
}

/**
 * Packs sources as a BagIt 1.0 bag (RFC 8493).
 * @param options `profile` is what the bag has to meet when it is done
 * @returns what was packed and what was skipped
 * @throws as the `write` of a format
 */
export const packBag = (
  { sources, target, form, algorithms, info }: Wanted,
  { profile, ...options }: PackingOptions & { profile?: Profile },
): Promise<Packed> =>
  packSources(
    {
      format: bagItFormat,
      sources,
      target,
      form,
      algorithms,
      labels: info,
      profile: profile ? JSON.stringify(profile) : null,
    },
    options,
  )
