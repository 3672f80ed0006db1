import * as v from 'valibot'
import { withoutMark } from '../../common/byte-order-mark.ts'
import { normalized } from '../digests.ts'
import { isLabel, type Tag } from './tag-files.ts'
import { messageOf } from '../../common/errors.ts'

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
  'Bag-Info': v.optional(
    v.record(v.pipe(v.string(), v.check(isLabel, 'a label that bag-info.txt cannot have')), TagRule),
    {},
  ),
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
    json = JSON.parse(withoutMark(text))
  } catch (error) {
    return { wrong: messageOf(error) }
  }
  const parsed = v.safeParse(ProfileSchema, json)
  if (parsed.success) return { profile: parsed.output }
  const [issue] = parsed.issues
  return { wrong: `${v.getDotPath(issue) ?? ''}: ${issue.message}` }
}

/** The profile of that text; undefined where there is none, or where it cannot be read. */
export const profileOf = (text: string | null): Profile | undefined => {
  const read = text === null ? undefined : readProfile(text)
  return read && 'profile' in read ? read.profile : undefined
}

/** What a bag, or a draft of one, breaks: the file it is about, and the rule with what it wants. */
export interface BrokenRule {
  rule: string
  file: string
  /** Label of bag-info.txt, where it is about one. */
  label: string | null
  detail: string
}

const bagInfoFile = 'bag-info.txt'
const broken = (rule: string, file: string, detail: string, label: string | null = null): BrokenRule => ({
  rule,
  file,
  label,
  detail,
})

/**
 * Labels of bag-info.txt: what is required is there, values are among those allowed, nothing stands twice
 * that may not.
 */
export const checkInfo = (profile: Profile, info: Tag[]): BrokenRule[] =>
  Object.entries(profile['Bag-Info']).flatMap(([label, { required, values, repeatable }]) => {
    const found = info
      .filter(([name]) => name.toLowerCase() === label.toLowerCase())
      .map(([, value]) => value)
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

/** There are a handful of algorithms; more names than this come from nobody who means them. */
const mostAlgorithms = 1_000

const mediaTypes = { tar: ['application/x-tar', 'application/tar'], zip: ['application/zip'] }

/** The form of a bag: folder, tar or zip. */
export const checkSerialization = (profile: Profile, form: 'folder' | 'tar' | 'zip'): BrokenRule[] => {
  const { Serialization: rule, 'Accept-Serialization': accepted } = profile
  if (form === 'folder') return rule === 'required' ? [broken('Serialization', form, 'required')] : []
  if (rule === 'forbidden') return [broken('Serialization', form, 'forbidden')]
  return accepted.length > 0 && !mediaTypes[form].some((type) => accepted.includes(type))
    ? [broken('Accept-Serialization', form, accepted.join(', '))]
    : []
}

/** Algorithms that manifests are made with. */
export const checkAlgorithms = (profile: Profile, payload: string[], tags: string[]): BrokenRule[] => {
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
      .filter((algorithm) => !present.includes(algorithm))
      .map((algorithm) => broken(`${rule}-Required`, `${file}-${algorithm}.txt`, algorithm)),
    ...(allowed
      ? present
          .filter((algorithm) => !allowed.map(normalized).includes(algorithm))
          .map((algorithm) => broken(`${rule}-Allowed`, `${file}-${algorithm}.txt`, allowed.join(', ')))
      : []),
  ])
}

/**
 * A pattern as profiles write them: `*` for anything but '/', `**` for anything, `?` for one letter but '/'.
 * Every place of the pattern that the letters so far may have led to is kept: the work is the length of the
 * one times that of the other, whatever the pattern.
 */
const matcher = (pattern: string): ((name: string) => boolean) => {
  const signs = pattern.match(/\*+|[^*]/gsu) ?? []
  const afterStars = (places: Set<number>) => {
    for (const place of places) if (signs[place]?.startsWith('*')) places.add(place + 1)
    return places
  }
  return (name) => {
    let places = afterStars(new Set([0]))
    for (const letter of name) {
      const next = new Set<number>()
      for (const place of places) {
        const sign = signs[place]
        if (sign?.startsWith('*')) {
          if (sign.length > 1 || letter !== '/') next.add(place)
        } else if (sign === letter || (sign === '?' && letter !== '/')) next.add(place + 1)
      }
      places = afterStars(next)
    }
    return places.has(signs.length)
  }
}

/** Tag files that the specification itself knows; profiles speak of the others. */
const isOwnTag = (name: string) =>
  /^(bagit|bag-info|package-info|fetch|(tag)?manifest-[^/]*)\.txt$/i.test(name)

export interface BagFacts {
  info: Tag[]
  version: string
  form: 'folder' | 'tar' | 'zip'
  /** Names of all other files; asked as often as the profile speaks of them. */
  tags: () => Iterable<string>
  counts: { files: number; bytes: number }
  /** Names of the payload, "data/…"; asked only where the profile speaks of them. */
  payload: () => Iterable<string>
}

/**
 * What a profile wants of the files of a bag that are named by patterns: those that must be there, and those
 * that may.
 */
function* checkNames(
  rule: 'Tag-Files' | 'Payload-Files',
  required: string[],
  allowed: string[] | undefined,
  names: () => Iterable<string>,
): Generator<BrokenRule> {
  if (required.length === 0 && !allowed) return
  const missing = new Set(required)
  const patterns = allowed?.map(matcher)
  for (const name of names()) {
    missing.delete(name)
    if (patterns && !isOwnTag(name) && !patterns.some((matches) => matches(name)))
      yield broken(`${rule}-Allowed`, name, allowed?.join(', ') ?? '')
  }
  for (const name of missing) yield broken(`${rule}-Required`, name, name)
}

/**
 * Everything that a profile wants of a bag that is done, one thing after the other: a bag may break a rule a
 * million times.
 */
export function* checkProfile(
  profile: Profile,
  { info, version, form, tags, counts, payload }: BagFacts,
): Generator<BrokenRule> {
  const identifier = profile['BagIt-Profile-Info']['BagIt-Profile-Identifier']
  const algorithms = { manifest: new Set<string>(), tagmanifest: new Set<string>() }
  let hasFetch = false
  for (const name of tags()) {
    const [, tag, algorithm] = /^(tag)?manifest-([^/]*)\.txt$/i.exec(name) ?? []
    if (algorithm !== undefined && algorithms.manifest.size + algorithms.tagmanifest.size < mostAlgorithms)
      algorithms[tag === undefined ? 'manifest' : 'tagmanifest'].add(algorithm.toLowerCase())
    hasFetch ||= name === 'fetch.txt'
  }
  if (
    !info.some(([label, value]) => label.toLowerCase() === 'bagit-profile-identifier' && value === identifier)
  )
    yield broken('BagIt-Profile-Identifier', bagInfoFile, identifier, 'BagIt-Profile-Identifier')
  yield* checkInfo(profile, info)
  yield* checkSerialization(profile, form)
  yield* checkAlgorithms(profile, [...algorithms.manifest], [...algorithms.tagmanifest])
  const versions = profile['Accept-BagIt-Version']
  if (versions && !versions.includes(version))
    yield broken('Accept-BagIt-Version', 'bagit.txt', versions.join(', '))
  if (hasFetch && !profile['Allow-Fetch.txt']) yield broken('Allow-Fetch.txt', 'fetch.txt', '')
  if (!hasFetch && profile['Fetch.txt-Required']) yield broken('Fetch.txt-Required', 'fetch.txt', '')
  if (profile['Data-Empty'] && (counts.bytes > 0 || counts.files > 1)) yield broken('Data-Empty', 'data', '')
  yield* checkNames('Tag-Files', profile['Tag-Files-Required'], profile['Tag-Files-Allowed'], tags)
  yield* checkNames(
    'Payload-Files',
    profile['Payload-Files-Required'],
    profile['Payload-Files-Allowed'],
    payload,
  )
}
