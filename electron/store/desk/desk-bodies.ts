import * as v from 'valibot'
import { packageWays, type Capabilities } from '../../contract/capabilities.ts'
import { listNames } from '../../contract/lists.ts'
import type { KnownArchive } from './desk-store.ts'
import type { KeptSearch, OrderDraft, SeenHits } from './desk-lists.ts'
import { KeptFailure } from './job-bodies.ts'

const text = v.string()
const texts = v.array(text)
const yes = v.boolean()
const orNull = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema), null)
const Named = v.object({ id: text, name: text })

/** What is known of an archive, as any version wrote it; unknown fields stay. */
export const KnownArchiveBody: v.GenericSchema<unknown, KnownArchive> = v.looseObject({
  id: text,
  name: text,
  url: text,
  isHere: yes,
  isSample: yes,
  username: text,
  fullName: text,
  scheme: v.picklist(['Token', 'Basic']),
  dialect: v.exactOptional(text),
  since: v.exactOptional(text),
  ends: v.exactOptional(v.nullable(text)),
  mayBeRead: v.exactOptional(yes),
  colour: v.exactOptional(v.number()),
  isSignedIn: v.optional(yes, false),
})

/** What an archive said it can do. One of another version is not read: the archive is asked again. */
export const CapabilitiesBody: v.GenericSchema<unknown, Capabilities> = v.looseObject({
  asked: v.nullable(text),
  features: v.array(v.object({ name: text, isOn: yes })),
  isPaged: yes,
  isCounting: yes,
  hasViews: yes,
  search: v.picklist(['path', 'query string', 'none']),
  signIn: v.picklist(['Token', 'Basic']),
  tokenEnds: v.nullable(text),
  hasSession: yes,
  lists: v.array(
    v.object({
      list: v.picklist(listNames),
      reads: v.picklist(['yes', 'not allowed', 'not there']),
      way: v.picklist(['list', 'structure', 'search', 'not allowed', 'administration', 'never', 'unknown']),
      isChangeable: yes,
    }),
  ),
  order: v.object({ linksPackages: yes, types: v.array(Named) }),
  packages: v.object({
    files: yes,
    events: yes,
    copies: yes,
    steps: yes,
    access: yes,
    dip: yes,
    denied: v.optional(v.array(v.picklist(packageWays)), []),
  }),
  submission: v.picklist(['unknown', 'no', 'not allowed', 'until submitted', 'whole']),
  notifications: v.object({ markSeen: yes }),
  givesContents: yes,
  user: v.object({
    permissions: v.nullable(texts),
    isSuperuser: yes,
    organizations: v.array(Named),
    organization: v.nullable(text),
  }),
})

export const SearchBody: v.GenericSchema<unknown, KeptSearch> = v.looseObject({
  id: text,
  archive: text,
  made: text,
  name: text,
  query: v.unknown(),
  refusal: orNull(KeptFailure),
})

export const SeenHitsBody: v.GenericSchema<unknown, SeenHits> = v.looseObject({
  at: v.nullable(text),
  ids: texts,
  lists: orNull(texts),
  isWithoutIndexFilters: v.optional(yes, false),
  told: v.optional(texts, []),
  isTold: v.optional(yes, false),
})

const wording = {
  name: v.optional(text, ''),
  content: v.optional(text, ''),
  packages: v.optional(texts, []),
}
export const OrderDraftBody: v.GenericSchema<unknown, OrderDraft> = v.looseObject({
  id: text,
  archive: text,
  made: text,
  ...wording,
  placed: orNull(text),
  wasRestored: v.exactOptional(yes),
  former: v.exactOptional(v.array(v.object(wording))),
})

/** What a kept text says; undefined where that is nothing that any version wrote. The text stays as it is. */
export const readBody = <Body>(schema: v.GenericSchema<unknown, Body>, body: string): Body | undefined => {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body)
  return read.success ? read.output : undefined
}
