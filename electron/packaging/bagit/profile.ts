import * as v from 'valibot'
import { normalized } from './algorithms.ts'
import type { Tag } from './tag-files.ts'

const names = v.optional(v.array(v.string()), [])
const TagRule = v.object({
  required: v.optional(v.boolean(), false),
  values: v.optional(v.array(v.string())),
  repeatable: v.optional(v.boolean(), true),
  recommended: v.optional(v.boolean(), false),
  description: v.optional(v.string(), ''),
})

/** A profile as BagIt Profiles 1.4 describes it; what it does not say allows everything. */
const ProfileSchema = v.object({
  'BagIt-Profile-Info': v.looseObject({
    'BagIt-Profile-Identifier': v.string(),
    'External-Description': v.optional(v.string(), ''),
    Version: v.optional(v.string(), ''),
  }),
  'Bag-Info': v.optional(v.record(v.string(), TagRule), {}),
  'Manifests-Required': names,
  'Manifests-Allowed': v.optional(v.array(v.string())),
  'Tag-Manifests-Required': names,
  'Tag-Manifests-Allowed': v.optional(v.array(v.string())),
  'Tag-Files-Required': names,
  'Tag-Files-Allowed': v.optional(v.array(v.string())),
  'Payload-Files-Required': names,
  'Payload-Files-Allowed': v.optional(v.array(v.string())),
  'Allow-Fetch.txt': v.optional(v.boolean(), true),
  'Fetch.txt-Required': v.optional(v.boolean(), false),
  'Data-Empty': v.optional(v.boolean(), false),
  Serialization: v.optional(v.picklist(['forbidden', 'required', 'optional']), 'optional'),
  'Accept-Serialization': names,
  'Accept-BagIt-Version': v.optional(v.array(v.string())),
})
export type Profile = v.InferOutput<typeof ProfileSchema>

/**
 * Reads a profile.
 * @returns a sentence's worth of what is wrong with it, where it is none
 */
export const readProfile = (text: string): { profile: Profile } | { wrong: string } => {
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    return { wrong: (error as Error).message }
  }
  const parsed = v.safeParse(ProfileSchema, json)
  if (parsed.success) return { profile: parsed.output }
  const [issue] = parsed.issues
  return { wrong: `${v.getDotPath(issue) ?? ''}: ${issue.message}` }
}

/** What a bag, or a draft of one, breaks: the file it is about, and the rule with what it wants. */
export interface Broken {
  rule: string
  file: string
  /** Label of bag-info.txt, where it is about one. */
  label: string | null
  detail: string
}

const bagInfoFile = 'bag-info.txt'
const broken = (rule: string, file: string, detail: string, label: string | null = null): Broken => ({
  rule,
  file,
  label,
  detail,
})

/** Labels of bag-info.txt: what is required is there, values are among those allowed, nothing stands twice that may not. */
export const checkInfo = (profile: Profile, info: Tag[]): Broken[] =>
  Object.entries(profile['Bag-Info']).flatMap(([label, { required, values, repeatable }]) => {
    const found = info.filter(([it]) => it.toLowerCase() === label.toLowerCase()).map(([, value]) => value)
    return [
      ...(required && !found.some((value) => value.trim() !== '')
        ? [broken('required', bagInfoFile, label, label)]
        : []),
      ...(values !== undefined && values.length > 0
        ? found
            .filter((value) => !values.includes(value))
            .map((value) =>
              broken('values', bagInfoFile, `${label}: ${value} ∉ ${values.join(' | ')}`, label),
            )
        : []),
      ...(!repeatable && found.length > 1 ? [broken('repeatable', bagInfoFile, label, label)] : []),
    ]
  })

const mediaTypes = { tar: ['application/x-tar', 'application/tar'], zip: ['application/zip'] }

/** The form of a bag: folder, tar or zip. */
export const checkForm = (profile: Profile, form: 'folder' | 'tar' | 'zip'): Broken[] => {
  const { Serialization: rule, 'Accept-Serialization': accepted } = profile
  if (form === 'folder') return rule === 'required' ? [broken('Serialization', form, 'required')] : []
  if (rule === 'forbidden') return [broken('Serialization', form, 'forbidden')]
  return accepted.length > 0 && !mediaTypes[form].some((type) => accepted.includes(type))
    ? [broken('Accept-Serialization', form, accepted.join(', '))]
    : []
}

/** Algorithms that manifests are made with. */
export const checkAlgorithms = (profile: Profile, payload: string[], tags: string[]): Broken[] => {
  const rules = [
    ['Manifests', 'manifest', profile['Manifests-Required'], profile['Manifests-Allowed'], payload],
    [
      'Tag-Manifests',
      'tagmanifest',
      profile['Tag-Manifests-Required'],
      profile['Tag-Manifests-Allowed'],
      tags,
    ],
  ] as const
  return rules.flatMap(([rule, file, required, allowed, present]) => [
    ...required
      .map(normalized)
      .filter((it) => !present.includes(it))
      .map((it) => broken(`${rule}-Required`, `${file}-${it}.txt`, it)),
    ...(allowed
      ? present
          .filter((it) => !allowed.map(normalized).includes(it))
          .map((it) => broken(`${rule}-Allowed`, `${file}-${it}.txt`, allowed.join(', ')))
      : []),
  ])
}

/** A pattern as profiles write them: `*` for anything but '/', `?` for one letter; a name that ends in '/*' reaches all below. */
const matches = (pattern: string, name: string) => {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, (stars) => (stars.length > 1 ? '.*' : '[^/]*'))
    .replaceAll('?', '[^/]')
  return new RegExp(`^${expression}$`, 's').test(name)
}

/** Tag files that the specification itself knows; profiles speak of the others. */
const isOwnTag = (name: string) =>
  /^(bagit|bag-info|package-info|fetch|(tag)?manifest-[^/]*)\.txt$/i.test(name)

export interface BagFacts {
  info: Tag[]
  version: string
  form: 'folder' | 'tar' | 'zip'
  tags: string[]
  counts: { files: number; bytes: number }
  /** Names of the payload, "data/…"; asked only where the profile speaks of them. */
  payload: () => Iterable<string>
}

/** Everything that a profile wants of a bag that is done. */
export const checkProfile = (
  profile: Profile,
  { info, version, form, tags, counts, payload }: BagFacts,
): Broken[] => {
  const identifier = profile['BagIt-Profile-Info']['BagIt-Profile-Identifier']
  const hasFetch = tags.includes('fetch.txt')
  const algorithms = (kind: string) =>
    tags.flatMap((name) => new RegExp(`^${kind}-([^/]*)\\.txt$`, 'i').exec(name)?.[1]?.toLowerCase() ?? [])
  const others = tags.filter((name) => !isOwnTag(name))
  const versions = profile['Accept-BagIt-Version']
  const {
    'Payload-Files-Required': wanted,
    'Payload-Files-Allowed': allowed,
    'Tag-Files-Allowed': tagsAllowed,
  } = profile
  const missing = new Set(wanted)
  const strange: string[] = []
  if (wanted.length > 0 || allowed)
    for (const name of payload()) {
      missing.delete(name)
      if (allowed && strange.length < 1_000 && !allowed.some((pattern) => matches(pattern, name)))
        strange.push(name)
    }
  return [
    ...(info.some(
      ([label, value]) => label.toLowerCase() === 'bagit-profile-identifier' && value === identifier,
    )
      ? []
      : [broken('BagIt-Profile-Identifier', bagInfoFile, identifier, 'BagIt-Profile-Identifier')]),
    ...checkInfo(profile, info),
    ...checkForm(profile, form),
    ...checkAlgorithms(profile, algorithms('manifest'), algorithms('tagmanifest')),
    ...(versions && !versions.includes(version)
      ? [broken('Accept-BagIt-Version', 'bagit.txt', versions.join(', '))]
      : []),
    ...(hasFetch && !profile['Allow-Fetch.txt'] ? [broken('Allow-Fetch.txt', 'fetch.txt', '')] : []),
    ...(!hasFetch && profile['Fetch.txt-Required'] ? [broken('Fetch.txt-Required', 'fetch.txt', '')] : []),
    ...(profile['Data-Empty'] && (counts.bytes > 0 || counts.files > 1)
      ? [broken('Data-Empty', 'data', '')]
      : []),
    ...profile['Tag-Files-Required']
      .filter((name) => !tags.includes(name))
      .map((name) => broken('Tag-Files-Required', name, name)),
    ...(tagsAllowed
      ? others
          .filter((name) => !tagsAllowed.some((pattern) => matches(pattern, name)))
          .map((name) => broken('Tag-Files-Allowed', name, tagsAllowed.join(', ')))
      : []),
    ...[...missing].map((name) => broken('Payload-Files-Required', name, name)),
    ...strange.map((name) => broken('Payload-Files-Allowed', name, (allowed ?? []).join(', '))),
  ]
}
