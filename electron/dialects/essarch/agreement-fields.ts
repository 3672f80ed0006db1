import * as v from 'valibot'
import type { Client } from '../../archive-client/http.ts'
import type { AgreementField } from '../../contract/agreements.ts'
import * as wire from '../wire.ts'
import type { HeldOf } from '../agreements.ts'
import { readAnswer } from '../specification/answers.ts'

/**
 * What an agreement asks for of each package: its profiles have templates of forms, and each package has data
 * of its own for each profile (ESSArch: profiles/{id}/, profile-ip/, profile-ip-data/). Where nobody says
 * anything else, the defaults of the templates go into what the archive writes of a package.
 */

const Value = v.union([v.string(), v.number(), v.boolean()])
const Field = v.looseObject({
  key: v.string(),
  hidden: v.optional(v.fallback(v.boolean(), false), false),
  defaultValue: v.optional(v.fallback(v.nullable(Value), null), null),
  ngModelElAttrs: v.optional(v.fallback(v.looseObject({ 'uib-popover': wire.text }), { 'uib-popover': '' })),
  templateOptions: v.optional(
    v.fallback(
      v.looseObject({
        label: wire.text,
        required: v.optional(v.fallback(v.boolean(), false), false),
        disabled: v.optional(v.fallback(v.boolean(), false), false),
        options: v.optional(v.fallback(v.array(v.looseObject({ name: wire.text, value: Value })), []), []),
      }),
      { label: '', required: false, disabled: false, options: [] },
    ),
  ),
})
type Field = v.InferOutput<typeof Field>
/** What has no key in a template is no field: a heading, a line. */
const isKeyed = (entry: unknown): boolean => v.is(v.looseObject({ key: v.string() }), entry)
const Profile = v.looseObject({
  template: v.optional(v.array(v.unknown()), []),
})
/** A profile as lists have it too: one without a template says nothing of its fields. */
const HeldProfile = v.looseObject({ template: v.array(v.unknown()) })
const Agreement = v.record(v.string(), v.unknown())

/** Profiles of which the data are asked for, and when they are set: later they are locked. */
const stages = {
  'before preparing': ['submit_description', 'sip'],
  'before preserving': ['aip'],
} as const
export type Stage = keyof typeof stages
const asked = Object.values(stages).flat()

type Asking = Pick<Client, 'get' | 'list' | 'post' | 'patch'>

const pathOfProfile = (id: string) => `profiles/${encodeURIComponent(id)}/`

const templateOf = async ({ get }: Pick<Client, 'get'>, profile: string): Promise<Field[]> => {
  const path = pathOfProfile(profile)
  const { template } = readAnswer(Profile, await get(path), path)
  return template.filter(isKeyed).map((field) => readAnswer(Field, field, path))
}

/** The fields that a person may fill in; those that the agreement sets itself are shown to nobody. */
const openIn = (template: Field[]): AgreementField[] =>
  template
    .filter(
      ({ key, hidden, templateOptions }) => !key.startsWith('_') && !hidden && !templateOptions?.disabled,
    )
    .map(({ key, defaultValue, ngModelElAttrs, templateOptions }) => ({
      key,
      label: templateOptions?.label || key,
      hint: ngModelElAttrs?.['uib-popover'] ?? '',
      isRequired: templateOptions?.required ?? false,
      usual: defaultValue === null ? '' : String(defaultValue),
      choices: (templateOptions?.options ?? []).map(({ name, value }) => ({
        value: String(value),
        text: name,
      })),
    }))

/** The profiles of an agreement of which the data are asked for. */
const profilesOf = (agreement: Record<string, unknown>): string[] =>
  asked.map((type) => agreement[`profile_${type}`]).filter((profile) => typeof profile === 'string')

/** A field that several profiles have is asked for once. */
const fieldsAmong = (templates: Field[][]): AgreementField[] => {
  const fields = new Map<string, AgreementField>()
  for (const field of templates.flatMap(openIn)) if (!fields.has(field.key)) fields.set(field.key, field)
  return [...fields.values()]
}

const agreementAt = async ({ get }: Pick<Client, 'get'>, agreement: string) => {
  const path = `submission-agreements/${encodeURIComponent(agreement)}/`
  return readAnswer(Agreement, await get(path), path)
}

/** The fields that packages under an agreement are described by. */
export const fieldsOf = async (
  archive: Pick<Client, 'get'>,
  agreement: string,
): Promise<AgreementField[]> => {
  const templates: Field[][] = []
  for (const profile of profilesOf(await agreementAt(archive, agreement)))
    templates.push(await templateOf(archive, profile))
  return fieldsAmong(templates)
}

/**
 * The same out of records as lists have them.
 * @param held gives the record of a list that has this id, as the archive gave it
 * @returns null where something that says so is not held, or cannot be read
 */
export const fieldsIn = (held: HeldOf, agreement: string): AgreementField[] | null => {
  const found = held('submission-agreements', agreement)
  if (!v.is(Agreement, found)) return null
  const templates: Field[][] = []
  for (const id of profilesOf(found)) {
    const profile = held('profiles', id)
    if (!v.is(HeldProfile, profile)) return null
    const template = v.safeParse(v.array(Field), profile.template.filter(isKeyed))
    if (!template.success) return null
    templates.push(template.output)
  }
  return fieldsAmong(templates)
}

const Typed = v.looseObject({ profile_type: v.string() })
const PackageProfile = v.looseObject({
  id: wire.id,
  profile: wire.id,
  data_versions: v.optional(v.array(v.unknown()), []),
  data: v.optional(v.nullable(v.looseObject({ data: v.record(v.string(), v.unknown()) })), null),
})
const Made = v.looseObject({ id: wire.id })

/** A value as the archive has it: the form of a person knows text alone. */
const asWire = (typed: string, options: readonly { value: v.InferOutput<typeof Value> }[]) =>
  options.find(({ value }) => String(value) === typed)?.value ?? typed

/**
 * Sets the data of a package to what a person said, where that differs. Done again, it changes nothing more.
 * @throws Failed server-broke where a profile cannot be read: what was said would be dropped
 */
export const fillIn = async (
  archive: Asking,
  id: string,
  stage: Stage,
  values: Readonly<Record<string, string>>,
): Promise<void> => {
  const wanted: readonly string[] = stages[stage]
  const path = `profile-ip/?${new URLSearchParams({ ip: id }).toString()}`
  for (const row of await archive.list(path)) {
    if (!wanted.includes(readAnswer(Typed, row, path).profile_type)) continue
    const { id: relation, profile, data, data_versions: versions } = readAnswer(PackageProfile, row, path)
    const before = data?.data ?? {}
    const after = { ...before }
    for (const { key, templateOptions } of await templateOf(archive, profile)) {
      const typed = values[key]
      if (typed !== undefined) after[key] = asWire(typed, templateOptions?.options ?? [])
    }
    if (Object.entries(after).every(([key, value]) => value === before[key])) continue
    const said = { relation, data: after, version: versions.length }
    const made = readAnswer(Made, await archive.post('profile-ip-data/', said), 'profile-ip-data/')
    await archive.patch(`profile-ip/${encodeURIComponent(relation)}/`, { data: made.id })
  }
}
