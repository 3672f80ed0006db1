import * as v from 'valibot'
import type { Client } from '../../archive-client/http.ts'
import type { AgreedPackaging, HeldOf, HeldList } from '../agreements.ts'
import * as wire from '../wire.ts'
import { readAnswer } from '../specification/answers.ts'

/**
 * What an agreement says of how packages are made under it: its profiles for what is sent lay out folders,
 * and say of themselves and of packages what their texts, templates and data say (ESSArch: profiles/).
 */

const Agreement = v.record(v.string(), v.unknown())
const Delivery = v.looseObject({ submission_agreement: wire.maybeId })
const Profile = v.looseObject({
  structure: v.optional(v.fallback(v.array(v.looseObject({ name: wire.text })), []), []),
  template: v.optional(v.fallback(v.array(v.unknown()), []), []),
  specification_data: v.optional(v.fallback(v.record(v.string(), v.unknown()), {}), {}),
})
type Profile = v.InferOutput<typeof Profile>
const Defaulted = v.looseObject({ defaultValue: v.string() })

/** Profiles that say how what is sent is made. */
const profileTypes = ['sip', 'transfer_project', 'submit_description'] as const

/**
 * Whether a SIP profile lays out representations: then the archive makes them itself, and a finished E-ARK
 * SIP would fail when it is preserved.
 */
const laysOutRepresentations = ({ structure }: Pick<Profile, 'structure'>): boolean =>
  structure.some(({ name }) => name === 'representations')

const textsIn = (profile: Profile): string[] =>
  [
    ...Object.values(profile),
    ...Object.values(profile.specification_data),
    ...profile.template.map((field) => (v.is(Defaulted, field) ? field.defaultValue : null)),
  ].filter((text) => typeof text === 'string')

/** See AgreementsPart. */
export const packagingOf = async (
  held: HeldOf,
  archive: Pick<Client, 'get'>,
  { agreement, delivery }: { agreement: string; delivery: string },
): Promise<AgreedPackaging> => {
  const said: AgreedPackaging = { makesRepresentations: false, texts: [] }
  const read = async <Schema extends v.GenericSchema>(schema: Schema, list: HeldList, id: string) => {
    const path = `${list}/${encodeURIComponent(id)}/`
    return readAnswer(schema, held(list, id) ?? (await archive.get(path)), path)
  }
  const named =
    agreement || delivery === ''
      ? agreement
      : (await read(Delivery, 'deliveries', delivery)).submission_agreement
  if (!named) return said
  const profiles = await read(Agreement, 'submission-agreements', named)
  for (const type of profileTypes) {
    const id = profiles[`profile_${type}`]
    if (typeof id !== 'string') continue
    const profile = await read(Profile, 'profiles', id)
    said.texts.push(...textsIn(profile))
    if (type === 'sip') said.makesRepresentations = laysOutRepresentations(profile)
  }
  return said
}
