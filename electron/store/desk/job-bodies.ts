import * as v from 'valibot'
import type { FormField, FormValue } from '../../contract/description.ts'
import { Mapping } from '../../contract/batch.ts'
import { archiveSteps } from '../../contract/transfers.ts'
import type { Dissemination } from '../../contract/dips.ts'
import type { Failure } from '../../contract/failure.ts'
import type { Download } from '../../contract/files.ts'
import { listNames } from '../../contract/lists.ts'
import { nameTroubles } from '../../contract/survey.ts'
import type { KeptBatch, KeptCreation, KeptTransfer } from './desk-store.ts'
import { presentFailure, withSip } from './former-names.ts'

/** What stands in columns of its own, and so not in the body. */
export type JobColumn =
  'archive' | 'made' | 'attempts' | 'nextAt' | 'triedAt' | 'wasRestored' | 'state' | 'isWaiting'

/** A download as it is kept. */
export interface KeptDownload extends Download {
  /** By what the archive knows the same content again. */
  mark: string
  /** Its target was there when it was chosen: a person had it replaced. */
  replaces: boolean
  /** It is saved, and is still to be compared with what its package says of it. */
  isToCompare: boolean
  /** The name that it gets once it is whole, from just before it has it; null before that. */
  placing: string | null
}

const text = v.string()
const orNull = <T extends v.GenericSchema>(schema: T) => v.optional(v.nullable(schema), null)
const count = v.number()
const moment = orNull(text)

/** A failure is shown and compared, never acted on field by field: that it has a kind is enough. */
export const KeptFailure = v.pipe(
  v.custom<Failure>(
    (value) => typeof value === 'object' && value !== null && typeof Reflect.get(value, 'kind') === 'string',
  ),
  v.transform(presentFailure),
)
const Counts = v.object({ files: count, folders: count, bytes: count })
const LookupTally = v.object({ lookups: count, waitedMs: count })

const Field: v.GenericSchema<unknown, FormField> = v.object({
  name: text,
  label: v.optional(text, ''),
  help: v.optional(text, ''),
  type: v.picklist([
    'text',
    'long text',
    'boolean',
    'number',
    'date',
    'choice',
    'choices',
    'rows',
    'query',
    'json',
  ]),
  isRequired: v.optional(v.boolean(), false),
  longest: orNull(count),
  choices: v.optional(v.array(v.object({ value: text, text })), []),
  of: v.optional(v.array(v.lazy(() => Field)), []),
})
const Value: v.GenericSchema<unknown, FormValue> = v.union([
  text,
  v.boolean(),
  v.array(text),
  v.array(
    v.record(
      text,
      v.lazy(() => Value),
    ),
  ),
])

/** A creation's body; unknown fields stay, so that none is lost on the way through an earlier version. */
export const CreationBody: v.GenericSchema<unknown, Omit<KeptCreation, JobColumn>> = v.looseObject({
  id: text,
  list: v.picklist(listNames),
  title: text,
  failure: orNull(KeptFailure),
  remote: orNull(text),
  fields: v.array(Field),
  values: v.record(text, Value),
  before: orNull(v.array(text)),
  body: orNull(v.record(text, v.unknown())),
  wasFound: v.exactOptional(v.boolean()),
  candidates: v.exactOptional(v.array(text)),
  path: v.exactOptional(text),
  doubt: v.exactOptional(LookupTally),
  former: v.exactOptional(v.array(v.object({ fields: v.array(Field), values: v.record(text, Value) }))),
  wasTaken: v.exactOptional(v.boolean()),
})

const Skipped = v.object({ path: text, why: v.picklist(['link', 'special']), target: orNull(text) })
const NameWarning = v.object({
  trouble: v.picklist(nameTroubles),
  path: text,
})
const CountedPaths = v.object({ count, first: v.array(text) })
const noPaths = { count: 0, first: [] }
/** Sources of earlier versions were not looked at for names, links and what stops packing. */
const Source = v.looseObject({
  path: text,
  isFolder: v.boolean(),
  files: count,
  folders: count,
  bytes: count,
  skipped: v.optional(v.object({ count, first: v.array(Skipped) }), { count: 0, first: [] }),
  warned: v.optional(v.object({ count, first: v.array(NameWarning) }), { count: 0, first: [] }),
  extensions: v.optional(
    v.array(v.object({ extension: text, files: count, bytes: v.optional(count, 0) })),
    [],
  ),
  empty: v.optional(count, 0),
  unnameable: v.optional(count, 0),
  unreadable: v.optional(CountedPaths, noPaths),
  notInZip: v.optional(CountedPaths, noPaths),
  emptyFolders: v.optional(CountedPaths, noPaths),
  misnamed: v.optional(v.object({ count, first: v.array(v.object({ path: text, format: text })) }), noPaths),
  failure: orNull(KeptFailure),
})
const tools = v.picklist(['siegfried', 'fido', 'built-in'])
const FormatTable = v.object({
  tool: tools,
  failed: v.exactOptional(v.array(tools)),
  kinds: count,
  formats: v.array(v.object({ puid: text, name: text, mime: text, basis: text, files: count, bytes: count })),
})
const form = v.picklist(['folder', 'tar', 'zip'])
const algorithm = v.picklist(['sha256', 'sha512'])
/** What packages of earlier versions were, where they do not say. */
const Sip = v.looseObject({
  path: text,
  form: v.optional(form, 'folder'),
  algorithm: v.optional(algorithm, 'sha256'),
  counts: Counts,
  skipped: v.optional(count, 0),
  manifest: v.optional(text, ''),
  content: v.optional(text, ''),
  formats: orNull(FormatTable),
})

const PresentTransfer = v.looseObject({
  id: text,
  form: v.looseObject({
    name: text,
    delivery: text,
    organization: text,
    address: text,
    person: text,
    email: text,
    description: text,
    identifier: text,
    tags: v.optional(v.record(text, text), {}),
    agreement: v.optional(text, ''),
    agreementValues: v.exactOptional(v.record(text, text)),
    generationOf: v.exactOptional(v.object({ id: text, title: text })),
  }),
  sources: v.optional(v.array(Source), []),
  counts: Counts,
  changed: text,
  packing: v.optional(
    v.object({
      format: v.exactOptional(text),
      version: v.exactOptional(text),
      representations: v.exactOptional(v.picklist(['one', 'each folder'])),
      form,
      algorithm,
      isPolite: v.boolean(),
      upload: v.exactOptional(v.picklist(['one file', 'each file'])),
      formatProposedBy: v.exactOptional(v.picklist(['desk', 'agreement'])),
    }),
    { form: 'folder', algorithm: 'sha256', isPolite: false },
  ),
  sip: orNull(Sip),
  isPaused: v.optional(v.boolean(), false),
  handedOver: moment,
  times: v.object({ prepared: moment, sent: moment, received: moment, preserved: moment }),
  remote: orNull(text),
  package: orNull(text),
  compared: orNull(text),
  failure: orNull(KeptFailure),
  profileText: orNull(text),
  descriptive: orNull(text),
  sending: orNull(v.picklist(['registering', 'copying', 'renaming', 'submitting'])),
  ingestFolder: orNull(text),
  mountPoint: v.exactOptional(text),
  packageMountPoint: v.exactOptional(text),
  drawnForm: v.exactOptional(v.record(text, v.unknown())),
  formerRegistrations: v.exactOptional(v.number()),
  refusedPackage: v.exactOptional(v.nullable(text)),
  refusedIdentifier: v.exactOptional(text),
  record: v.exactOptional(
    v.nullable(v.object({ id: v.nullable(text), wasRefused: v.exactOptional(v.boolean()) })),
  ),
  reception: v.exactOptional(v.nullable(text)),
  steps: v.exactOptional(v.array(v.object({ step: v.picklist(archiveSteps), at: text }))),
  doubt: v.exactOptional(LookupTally),
  before: v.optional(v.array(text), []),
})

/** A transfer's body as any version wrote it: what earlier ones did not know is as it was then. */
export const TransferBody: v.GenericSchema<unknown, Omit<KeptTransfer, JobColumn>> = v.pipe(
  v.unknown(),
  v.transform(withSip),
  PresentTransfer,
)

export const DisseminationBody: v.GenericSchema<unknown, Omit<Dissemination, 'state'>> = v.looseObject({
  id: text,
  order: text,
  label: text,
  identifier: text,
  agreement: text,
  dip: orNull(text),
  createAsked: v.optional(orNull(text), null),
  stage: v.picklist(['register', 'agree', 'prepare', 'fetch', 'copy', 'create', 'done']),
  items: v.array(
    v.object({
      package: text,
      label: text,
      identifier: text,
      step: orNull(text),
      asked: v.optional(orNull(text), null),
      state: v.picklist(['to do', 'asked', 'there', 'copied']),
    }),
  ),
  failure: orNull(KeptFailure),
  message: v.optional(text, ''),
})

const Verdict = v.object({
  is: v.picklist(['preserved', 'changed', 'unsaid']),
  algorithm: text,
  digest: text,
  preserved: text,
  source: text,
})
export const DownloadBody: v.GenericSchema<unknown, Omit<KeptDownload, 'state'>> = v.looseObject({
  id: text,
  package: text,
  path: text,
  target: text,
  bytesDone: v.optional(count, 0),
  bytes: orNull(count),
  failure: orNull(KeptFailure),
  verdict: orNull(Verdict),
  mark: v.optional(text, ''),
  replaces: v.optional(v.boolean(), false),
  isToCompare: v.optional(v.boolean(), false),
  placing: v.optional(orNull(text), null),
})

/** There may be a million cells: looked at by hand they take a tenth of the time. */
const isTable = (value: unknown) =>
  Array.isArray(value) &&
  value.every((row) => Array.isArray(row) && row.every((cell) => typeof cell === 'string'))

/**
 * A batch holds its rows: they are judged by each other, and each becomes a job of its own, which has its id.
 */
export const BatchBody: v.GenericSchema<unknown, Omit<KeptBatch, JobColumn>> = v.looseObject({
  id: text,
  kind: v.picklist(['table', 'folder']),
  tablePath: text,
  columns: v.array(text),
  rows: v.custom<string[][]>(isTable, 'The rows are no table of texts.'),
  places: v.exactOptional(v.array(count)),
  ids: v.array(text),
  mapping: Mapping,
  template: orNull(text),
  counted: v.optional(
    v.record(text, v.object({ files: count, folders: count, bytes: count, skipped: count })),
    {},
  ),
})
