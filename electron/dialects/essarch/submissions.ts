import path from 'node:path'
import * as v from 'valibot'
import { entryIn } from '../../common/records.ts'
import { Failed } from '../../contract/failure.ts'
import type { Client } from '../../archive-client/http.ts'
import type { SubmissionPart } from '../dialect.ts'
import type { SubmissionStatus, UploadPlace, WorkArea } from '../models.ts'
import * as wire from '../wire.ts'
import { packagingOf } from './agreed-packaging.ts'
import { fieldsIn, fieldsOf, fillIn } from './agreement-fields.ts'
import { stockExtensions } from './extensions.ts'
import { readPreservedFiles } from './files.ts'
import { describeContainer } from './submit-description.ts'
import { packagePath } from './package-path.ts'
import { unlessMissing, whyFailed } from './work.ts'

/**
 * Bringing a package into the archive over the interface alone, as a real ESSArch answered: created under its
 * own identifier, connected to an agreement, uploaded in chunks, made, submitted, received and preserved.
 */

const Found = v.looseObject({
  id: wire.id,
  label: wire.text,
  object_identifier_value: wire.text,
  state: wire.text,
  step_state: wire.text,
  submission_agreement: wire.maybeId,
  submission_agreement_locked: wire.maybeFlag,
  workarea: v.fallback(v.array(v.unknown()), []),
})

const Entry = v.looseObject({
  id: wire.id,
  type_name: v.picklist(['ingest', 'access']),
  user: v.looseObject({ id: wire.id }),
  read_only: v.literal(false),
})

/** The states of ESSArch that say how far a package is; while it works at the next, it names that instead. */
const steps: Record<string, SubmissionStatus['step']> = {
  // A new generation, to which files are added as to a package that is made.
  'Access Workarea': 'prepared',
  Prepared: 'prepared',
  Uploading: 'prepared',
  Uploaded: 'uploaded',
  Creating: 'uploaded',
  Created: 'created',
  Submitting: 'created',
  Submitted: 'submitted',
  Receiving: 'submitted',
  Received: 'received',
  Preserving: 'received',
  Preserved: 'preserved',
}
const working = ['Creating', 'Submitting', 'Receiving', 'Preserving']
/** It is prepared, or what a new generation begins with is copied to the work area. */
const workingOnceBegun = ['Preparing', 'Access Workarea']

const workAreaOf = (found: v.InferOutput<typeof Found>): WorkArea | null => {
  for (const entry of found.workarea) {
    const read = v.safeParse(Entry, entry)
    if (!read.success) continue
    const { id, type_name: type, user } = read.output
    return { id, type, user: user.id, folder: found.object_identifier_value }
  }
  return null
}

const stepOf = (found: v.InferOutput<typeof Found>): SubmissionStatus['step'] => {
  // From the reception a package goes to a work area, from which it is received once more.
  if (found.state === 'Received' && workAreaOf(found)?.type === 'ingest') return 'submitted'
  if (found.state !== 'Preparing') return entryIn(steps, found.state) ?? 'unknown'
  if (found.submission_agreement === null) return 'registered'
  return found.submission_agreement_locked === true ? 'locked' : 'agreed'
}

/** Whether the archive works at a package: some states say so, others only with how its last step stands. */
const isWorkedAt = ({ state, step_state: stepState }: v.InferOutput<typeof Found>): boolean =>
  working.includes(state) || (workingOnceBegun.includes(state) && ['PENDING', 'STARTED'].includes(stepState))

const toStatus = (found: v.InferOutput<typeof Found>): SubmissionStatus => {
  const { id, label, state, submission_agreement: agreement } = found
  // A failure never shows in the state: that stays what it was on the way to. What is preserved is, whatever
  // failed that was done with it afterwards.
  const hasFailed = state !== 'Preserved' && ['FAILURE', 'REVOKED'].includes(found.step_state)
  return {
    id,
    label,
    agreement,
    state,
    hasFailed,
    step: stepOf(found),
    isWorking: !hasFailed && isWorkedAt(found),
    workArea: workAreaOf(found),
  }
}

const Person = v.looseObject({ id: wire.id })

const Agreement = v.looseObject({
  id: wire.id,
  name: wire.text,
  label: wire.text,
  archivist_organization: wire.text,
})

const FileEntry = v.looseObject({ name: wire.text, type: wire.text, size: wire.maybeNumber })

/** The parameters of a chunk, which tell it from every other: also those by which it is asked for. */
const chunkFields = (folder: string, name: string, chunk: { number: number; bytes: number }) => ({
  flowChunkNumber: String(chunk.number),
  flowChunkSize: String(chunk.bytes),
  flowRelativePath: name,
  destination: folder,
})

const Path = v.looseObject({ entity: wire.text, value: wire.text })
/** A package in the reception, whose id is its name there. */
const Waiting = v.looseObject({ id: wire.id })

/** A path of a package as it is named in a place. */
const within = ({ workArea }: UploadPlace, path: string) => (workArea ? `${workArea.folder}/${path}` : path)

const split = (path: string) => {
  const at = path.lastIndexOf('/')
  return { folder: path.slice(0, Math.max(0, at)), name: path.slice(at + 1) }
}

/** The address of one of the things that are done with files of a place. */
const filesPath = (
  { id, workArea }: UploadPlace,
  act: '' | 'upload/' | 'merge-uploaded-chunks/',
  fields: Record<string, string> = {},
): string => {
  if (workArea) {
    const place = { type: workArea.type, id, user: workArea.user }
    return `workarea-files/${act}?${new URLSearchParams({ ...place, ...fields }).toString()}`
  }
  const query = new URLSearchParams(fields).toString()
  return `${packagePath(id)}${act || 'files/'}${query === '' ? '' : `?${query}`}`
}

/** So long an archive may take to merge a file: a slow disk writes some MB a second. */
const mergingMs = (bytes: number): number => 30_000 + Math.ceil(bytes / 5_000)

const act =
  (name: string, body: unknown = {}) =>
  ({ post }: Pick<Client, 'post'>, id: string) =>
    post(`${packagePath(id)}${name}/`, body)

/**
 * Whether an archive may have written an identifier so: in other case, and with other signs between its words
 * or none. Where one word was, there are never two.
 */
const isAlike = (written: string, identifier: string): boolean => {
  const signs = String.raw`[^\p{L}\p{N}]*`
  const plain = (text: string) => text.normalize('NFKC').toLowerCase()
  const words = plain(identifier).match(/[\p{L}\p{N}]+/gu) ?? []
  return new RegExp(`^${[signs, words.join(signs), signs].join('')}$`, 'u').test(plain(written))
}

/**
 * What a text begins with, as one word to search for: a phrase is taken apart there at blanks, commas and
 * quotation marks, and a package is found where its name or its identifier begins with each of the words.
 */
const beginningOf = (text: string): string => /^[\p{L}\p{N}]*/u.exec(text.trim())?.[0] ?? ''

const unlessNotFound = (error: unknown): undefined => {
  if (error instanceof Failed && error.failure.kind === 'not-found') return undefined
  throw error
}

/** A chunk of another size, as a full disk or a kill left it there, is answered with 400 and no word. */
const unlessInPart = (error: unknown): undefined => {
  const failure = error instanceof Failed ? error.failure : undefined
  if (failure?.kind === 'refused' || (failure?.kind === 'server-broke' && failure.status === 400)) return
  throw error
}

/**
 * Has something of the reception received.
 * @throws Failed not-found also where a server without this route answers as no archive does
 */
const receiveAtReception = async ({ post }: Pick<Client, 'post'>, name: string, body: unknown) => {
  const path = `ip-reception/${encodeURIComponent(name)}/receive/`
  try {
    return await post(path, body)
  } catch (error) {
    const isMissing =
      error instanceof Failed && error.failure.kind === 'server-broke' && error.failure.status === 404
    throw isMissing ? new Failed({ kind: 'not-found', what: error.failure.address }, { cause: error }) : error
  }
}

export const submission: SubmissionPart = {
  agreements: async ({ list }) =>
    (await list('submission-agreements/?published=true')).flatMap((record) => {
      const read = v.safeParse(Agreement, record)
      if (!read.success) return []
      const { id, name, label, archivist_organization: organization } = read.output
      return [{ id, name: name || label, organization }]
    }),

  fieldsOf,
  fieldsIn,
  packagingOf,
  fillIn,

  find: async ({ list }, identifier) => {
    const query = new URLSearchParams({ view_type: 'flat', object_identifier_value: identifier }).toString()
    const ours = (records: unknown[]): SubmissionStatus | undefined => {
      for (const record of records) {
        const read = v.safeParse(Found, record)
        if (read.success && read.output.object_identifier_value === identifier) return toStatus(read.output)
      }
      return undefined
    }
    // A package in a work area is in no other list.
    return ours(await list(`information-packages/?${query}`)) ?? ours(await list(`workareas/?${query}`))
  },

  findAlike: async ({ list }, { identifier, label }) => {
    const search = [label, identifier].map(beginningOf).join(' ').trim()
    const query = new URLSearchParams({ view_type: 'flat', search }).toString()
    return (await list(`information-packages/?${query}`)).flatMap((row) => {
      const read = v.safeParse(Found, row)
      if (!read.success || read.output.object_identifier_value === identifier) return []
      return isAlike(read.output.object_identifier_value, identifier) ? [toStatus(read.output)] : []
    })
  },
  status: async ({ get }, id) => {
    const read = v.safeParse(Found, await get(packagePath(id)).catch(unlessNotFound))
    return read.success ? toStatus(read.output) : undefined
  },
  isResponsible: async ({ get }, { id, workArea }) => {
    const account = v.safeParse(Person, await get('me/'))
    // A package in a work area has no address of its own.
    if (workArea) return account.success && account.output.id === workArea.user
    const found = v.safeParse(v.looseObject({ responsible: Person }), await get(packagePath(id)))
    return account.success && found.success && found.output.responsible.id === account.output.id
  },
  create: ({ post }, { identifier, label }) =>
    post('information-packages/', { label, package_type: 0, object_identifier_value: identifier }),
  openGeneration: async ({ post }, packageId, identifier) => {
    const wanted = { new: true, extracted: true, object_identifier_value: identifier }
    const answer = await post(`${packagePath(packageId)}access/`, wanted)
    const step = v.safeParse(v.looseObject({ step: wire.maybeId }), answer)
    return step.success ? step.output.step : null
  },
  reception: async ({ list }) => {
    for (const record of await list('paths/')) {
      const read = v.safeParse(Path, record)
      if (read.success && read.output.entity === 'ingest_reception') return read.output.value
    }
    return undefined
  },
  isInReception: async ({ list }, name) =>
    (await list(`ip-reception/?${new URLSearchParams({ search: name }).toString()}`)).some((record) => {
      const read = v.safeParse(Waiting, record)
      return read.success && read.output.id === name
    }),
  receiveFolder: (archive, name, agreement) =>
    receiveAtReception(archive, name, { submission_agreement: agreement }),
  describeContainer,
  label: ({ patch }, id, label) => patch(packagePath(id), { label }),
  leaveWorkArea: ({ post }, id) => post(`workareas/${encodeURIComponent(id)}/receive/`, {}),
  agree: ({ patch }, id, agreement) => patch(packagePath(id), { submission_agreement: agreement }),
  lock: ({ post }, id, agreement) =>
    post(`submission-agreements/${encodeURIComponent(agreement)}/lock/`, { ip: id }),
  prepare: act('prepare'),

  sizesIn: async ({ list }, place, folder) => {
    // A folder that nothing was uploaded to yet is not there.
    const entries = await unlessMissing(list(filesPath(place, '', { path: within(place, folder) })))
    return new Map(
      entries.flatMap((entry) => {
        const read = v.safeParse(FileEntry, entry)
        const isFile = read.success && read.output.type === 'file' && read.output.size !== null
        return isFile ? [[read.output.name, read.output.size ?? 0] as const] : []
      }),
    )
  },
  hasChunk: async ({ status }, place, path, chunk) => {
    const { folder, name } = split(within(place, path))
    const said = status(filesPath(place, 'upload/', chunkFields(folder, name, chunk)))
    return (await said.catch(unlessInPart)) === 200
  },
  sendChunk: ({ upload }, place, path, { number, bytes }, stop) => {
    const { folder, name } = split(within(place, path))
    const fields = chunkFields(folder, name, { number, bytes: bytes.length })
    return upload(filesPath(place, 'upload/'), fields, { field: 'file', name, bytes }, stop)
  },
  merge: ({ post }, place, path, bytes) =>
    post(filesPath(place, 'merge-uploaded-chunks/'), { path: within(place, path) }, mergingMs(bytes)),

  finishUpload: act('set-uploaded'),
  make: act('create', { validators: {} }),
  submit: act('submit', { validators: {} }),
  receive: (archive, identifier) => receiveAtReception(archive, identifier, {}),
  preserve: act('preserve'),

  discard: async (archive, { id, workArea }) => {
    // Only what lies in no work area can be removed.
    if (workArea) await archive.delete(`workarea-entries/${encodeURIComponent(workArea.id)}/`)
    await archive.delete(`${packagePath(id)}?delete_files=true`)
  },
  isUsuallyAccepted: (extension) => stockExtensions.has(extension),
  refusedExtension: (reason) => {
    const [, file] = /Extension of '(.+)' is missing from mimetypes/s.exec(reason) ?? []
    return file === undefined ? undefined : path.posix.extname(file).toLowerCase()
  },
  whyFailed,
  contents: readPreservedFiles,
}
