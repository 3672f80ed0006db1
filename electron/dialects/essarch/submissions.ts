import path from 'node:path'
import * as v from 'valibot'
import { Failed } from '../../contract/failure.ts'
import type { Client } from '../../archive-client/http.ts'
import type { SubmissionPart } from '../dialect.ts'
import type { SubmissionStatus } from '../models.ts'
import * as wire from '../wire.ts'
import { fieldsOf, fillIn } from './agreement-fields.ts'
import { stockExtensions } from './extensions.ts'
import { readFileSection } from './mets.ts'
import { whyFailed } from './work.ts'

/**
 * Bringing a package into the archive over the interface alone, as a real ESSArch answered: created under its
 * own identifier, connected to an agreement, uploaded in chunks, made, submitted, received and preserved.
 */

const Found = v.looseObject({
  id: wire.id,
  object_identifier_value: wire.text,
  state: wire.text,
  step_state: wire.text,
  submission_agreement: wire.maybeId,
  submission_agreement_locked: wire.maybeFlag,
})

/** The states of ESSArch that say how far a package is; while it works at the next, it names that instead. */
const steps: Record<string, SubmissionStatus['step']> = {
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

const stepOf = (found: v.InferOutput<typeof Found>): SubmissionStatus['step'] => {
  if (found.state !== 'Preparing') return steps[found.state] ?? 'unknown'
  if (found.submission_agreement === null) return 'registered'
  return found.submission_agreement_locked === true ? 'locked' : 'agreed'
}

const toStatus = (record: unknown): SubmissionStatus => {
  const found = v.parse(Found, record)
  const { id, state, submission_agreement: agreement } = found
  // A failure never shows in the state: that stays what it was on the way to.
  const hasFailed = found.step_state === 'FAILURE'
  return {
    id,
    agreement,
    state,
    hasFailed,
    step: stepOf(found),
    isWorking: working.includes(state) && !hasFailed,
  }
}

const packagePath = (id: string) => `information-packages/${encodeURIComponent(id)}/`

const Agreement = v.looseObject({ id: wire.id, name: wire.text, label: wire.text })

/** A folder that nothing was uploaded to yet is not there. */
const unlessMissing = (entries: Promise<unknown[]>): Promise<unknown[]> =>
  entries.catch((error: unknown) => {
    if (error instanceof Failed && error.failure.kind === 'not-found') return []
    throw error
  })

const Entry = v.looseObject({ name: wire.text, type: wire.text, size: wire.maybeNumber })

/** The parameters of a chunk, which tell it from every other: also those by which it is asked for. */
const chunkFields = (folder: string, name: string, chunk: { number: number; bytes: number }) => ({
  flowChunkNumber: String(chunk.number),
  flowChunkSize: String(chunk.bytes),
  flowRelativePath: name,
  destination: folder,
})

const split = (path: string) => {
  const at = path.lastIndexOf('/')
  return { folder: path.slice(0, Math.max(0, at)), name: path.slice(at + 1) }
}

const act =
  (name: string, body: unknown = {}) =>
  ({ post }: Pick<Client, 'post'>, id: string) =>
    post(`${packagePath(id)}${name}/`, body)

export const submission: SubmissionPart = {
  agreements: async ({ list }) =>
    (await list('submission-agreements/?published=true')).flatMap((record) => {
      const read = v.safeParse(Agreement, record)
      return read.success ? [{ id: read.output.id, name: read.output.name || read.output.label }] : []
    }),

  fieldsOf,
  fillIn,

  find: async ({ list }, identifier) => {
    const query = new URLSearchParams({ view_type: 'flat', object_identifier_value: identifier })
    const found = await list(`information-packages/?${query.toString()}`)
    const ours = found.find((record) => {
      const read = v.safeParse(Found, record)
      return read.success && read.output.object_identifier_value === identifier
    })
    return ours === undefined ? undefined : toStatus(ours)
  },

  create: ({ post }, { identifier, label }) =>
    post('information-packages/', { label, package_type: 0, object_identifier_value: identifier }),
  agree: ({ patch }, id, agreement) => patch(packagePath(id), { submission_agreement: agreement }),
  lock: ({ post }, id, agreement) =>
    post(`submission-agreements/${encodeURIComponent(agreement)}/lock/`, { ip: id }),
  prepare: act('prepare'),

  sizesIn: async ({ list }, id, folder) => {
    const query = new URLSearchParams({ path: folder })
    const entries = await unlessMissing(list(`${packagePath(id)}files/?${query.toString()}`))
    return new Map(
      entries.flatMap((entry) => {
        const read = v.safeParse(Entry, entry)
        const isFile = read.success && read.output.type === 'file' && read.output.size !== null
        return isFile ? [[read.output.name, read.output.size ?? 0] as const] : []
      }),
    )
  },
  hasChunk: async ({ status }, id, path, chunk) => {
    const { folder, name } = split(path)
    const query = new URLSearchParams(chunkFields(folder, name, chunk))
    return (await status(`${packagePath(id)}upload/?${query.toString()}`)) === 200
  },
  sendChunk: ({ upload }, id, path, { number, bytes }, stop) => {
    const { folder, name } = split(path)
    const fields = chunkFields(folder, name, { number, bytes: bytes.length })
    return upload(`${packagePath(id)}upload/`, fields, { field: 'file', name, bytes }, stop)
  },
  merge: ({ post }, id, path) => post(`${packagePath(id)}merge-uploaded-chunks/`, { path }),

  finishUpload: act('set-uploaded'),
  make: act('create', { validators: {} }),
  submit: act('submit', { validators: {} }),
  receive: ({ post }, identifier) => post(`ip-reception/${encodeURIComponent(identifier)}/receive/`, {}),
  preserve: act('preserve'),

  discard: (archive, id) => archive.delete(`${packagePath(id)}?delete_files=true`),
  isUsuallyTaken: (extension) => stockExtensions.has(extension),
  refusedExtension: (reason) => {
    const [, file] = /Extension of '(.+)' is missing from mimetypes/s.exec(reason) ?? []
    return file === undefined ? undefined : path.posix.extname(file).toLowerCase()
  },
  whyFailed: (archive, id) => whyFailed(archive, id),
  contents: async ({ bytes }, id, see) => {
    const query = new URLSearchParams({ path: 'mets.xml' })
    const { body } = await bytes(`${packagePath(id)}files/?${query.toString()}`)
    await readFileSection(body, see)
  },
}
