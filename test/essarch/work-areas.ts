import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import type { Answer } from '../../electron/local-archive/http/answer.ts'
import { textOf } from '../../electron/local-archive/http/body-values.ts'
import type { Body } from '../../electron/local-archive/database.ts'
import { notify } from '../../electron/local-archive/events.ts'
import { packageBody, withoutProfiles } from '../../electron/local-archive/packages.ts'
import { filesOf } from './files.ts'
import { paged } from './lists.ts'
import type { Context } from './packages.ts'
import { permissionsOf } from './roles.ts'
import { shown } from './shapes.ts'
import { aicOf, begin, change, identifierOf, keepChunk, mergeChunks, nameOf } from './submissions.ts'
import { detail, forbidden, notFound, ok } from './words.ts'

const types = { ingest: 0, access: 1 }

const entriesOf = (record: Body) => (Array.isArray(record['workarea']) ? (record['workarea'] as Body[]) : [])

/** Whether a package is edited in somebody's work area: no other list or address knows it then. */
export const isEdited = (record: Body): boolean => record['archived'] !== true && entriesOf(record).length > 0

export const entryOf = ({ account }: Context, id: string, type: keyof typeof types): Body => ({
  id: randomUUID(),
  user: account.user,
  ip: id,
  read_only: false,
  type: types[type],
  type_name: type,
  extracted: true,
  packaged: false,
  successfully_validated: null,
})

const isMine = (record: Body, { account }: Context) =>
  isEdited(record) && entriesOf(record).some((entry) => (entry['user'] as Body)['id'] === account.id)

/** Opens a preserved package as its next generation: a package of its own, with all that the former holds. */
export const openGeneration = (record: Body, context: Context): Answer => {
  const { account, body, database, now, steps, uploads, workspaces } = context
  if (!permissionsOf(account).includes('ip.get_from_storage_as_new')) return forbidden()
  if (record['package_type'] !== 2) return detail(400, 'New generation can only be created from AIPs')
  const family = database.where('information package', 'aic', textOf(record['aic']))
  if (family.some(isEdited)) return detail(400, 'A new generation is already in progress')
  const id = randomUUID()
  const identifier = textOf(body['object_identifier_value']) || id
  if (database.where('information package', 'object_identifier_value', identifier).length > 0)
    return detail(409, `IP with object identifer value "${identifier}" already exists`)
  for (const other of family) change(context, other['id'], { last_generation: false })
  const generation = Math.max(...family.map((other) => Number(other['generation'] ?? 0))) + 1
  const made: Body = {
    ...record,
    id,
    object_identifier_value: identifier,
    object_path: `/ESSArch/data/workspace/${textOf(account.user['username'])}/${identifier}`,
    create_date: now.toISOString(),
    responsible: account.user,
    generation,
    first_generation: false,
    last_generation: true,
    state: 'Access Workarea',
    step_state: 'STARTED',
    archived: false,
    workarea: [entryOf(context, id, 'access')],
  }
  database.put('information package', made)
  workspaces.asTheyLie.add(id)
  const copy = async () => {
    if (uploads.has(identifierOf(record)))
      await cp(uploads.folderOf(identifierOf(record)), uploads.folderOf(identifier), { recursive: true })
    else {
      await uploads.lay(identifier)
      for (const [inside, content] of Object.entries(filesOf(record)))
        await uploads.write(identifier, inside, content())
    }
    change(context, id, { step_state: 'SUCCESS' })
    notify(database, new Date(), account.user, 'success', `${nameOf(record)} is now in workspace`)
  }
  const step = steps.begin(
    {
      label: 'Access AIP',
      package: id,
      title: nameOf(record),
      user: textOf(account.user['username']),
      tasks: ['Read from storage', 'Unpack container', 'Copy to workspace'],
      done: () => {
        context.later(copy())
      },
    },
    now.getTime(),
  )
  return ok({ detail: `Accessing ${nameOf(record)}...`, step: step.id })
}

/** The folders that lie in the reception. */
export const laidFolders = ({ receptionFolder }: Context): string[] =>
  readdirSync(receptionFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

/** Receives a folder of the reception into the work area of whoever asks, under its name. */
export const receiveFolder = (name: string, context: Context): Answer => {
  const { account, body, database, now, receptionFolder, uploads, workspaces } = context
  if (!permissionsOf(account).includes('ip.receive')) return forbidden()
  const agreement = textOf(body['submission_agreement'])
  if (agreement === '') return detail(400, 'Missing parameter submission_agreement')
  if (database.where('information package', 'object_identifier_value', name).length > 0)
    return detail(409, `IP with id ${name} already exists`)
  const [id, aic, made] = [randomUUID(), randomUUID(), now.toISOString()]
  mkdirSync(path.dirname(uploads.folderOf(name)), { recursive: true })
  renameSync(path.join(receptionFolder, name), uploads.folderOf(name))
  const received = database.put(
    'information package',
    packageBody({
      id,
      label: name,
      object_identifier_value: name,
      package_type: 2,
      package_type_display: 'AIP',
      create_date: made,
      entry_date: null,
      state: 'Receiving',
      status: 0,
      object_path: `/ESSArch/data/workspace/${textOf(account.user['username'])}/${name}`,
      responsible: account.user,
      object_size: 0,
      object_num_items: 0,
      start_date: null,
      end_date: null,
      content_mets_create_date: null,
      package_mets_create_date: null,
      submission_agreement: agreement,
      submission_agreement_locked: true,
      aic,
      generation: 0,
      first_generation: true,
      last_generation: true,
      workarea: [entryOf(context, id, 'ingest')],
      ...withoutProfiles,
    }),
  )
  database.put('information package', aicOf(received, aic, made))
  workspaces.asTheyLie.add(id)
  begin(received, context, {
    label: 'Receive from reception',
    during: 'Receiving',
    after: { state: 'Received' },
    tasks: ['Receive SIP'],
  })
  return ok({ detail: `Receiving ${name} (${name})` })
}

/** Takes a package out of the work area, into what the archive preserves. */
const receive = (record: Body, context: Context): Answer => {
  if (!permissionsOf(context.account).includes('ip.receive')) return forbidden()
  const left = { workarea: [], object_path: `/ESSArch/data/ingest/packages/${identifierOf(record)}` }
  change(context, record['id'], left)
  begin({ ...record, ...left }, context, {
    label: 'Receive from workarea',
    during: 'Receiving',
    after: { state: 'Received' },
    tasks: ['Receive AIP'],
  })
  return ok({ detail: `Receiving ${nameOf(record)}` })
}

/** Packages in the work areas of whoever asks, by their ids, and bringing one out. */
export const workAreas = ([id = '', act = '']: string[], context: Context): Answer => {
  const { account, database, now, request, url, workspaces } = context
  const host = request.headers.host ?? ''
  const copied = workspaces.entries
    .filter(({ user }) => user === account.id)
    .map(({ package: copy }) => database.one('information package', copy))
    .filter((record) => record !== undefined)
  const edited = ['Access Workarea', 'Receiving', 'Received'].flatMap((state) =>
    database.where('information package', 'state', state).filter((record) => isMine(record, context)),
  )
  if (id !== '') {
    const found = edited.find((record) => record['id'] === id)
    if (!found) return notFound()
    return act === 'receive'
      ? receive(found, context)
      : ok(shown('information-packages', found, database, account, host, now))
  }
  const wanted = url.searchParams.get('object_identifier_value')
  const type = url.searchParams.get('workspace_type')
  const rows = [...(type === 'ingest' ? [] : copied), ...edited].filter(
    (record) =>
      (wanted === null || record['object_identifier_value'] === wanted) &&
      (type === null || !isEdited(record) || entriesOf(record).some((entry) => entry['type_name'] === type)),
  )
  return paged(rows, url, host, (one) => shown('information-packages', one, database, account, host, now))
}

/** Hands a package of a work area back. */
export const workAreaEntry = (entry: string, context: Context): Answer => {
  if (context.request.method !== 'DELETE') return notFound()
  const found = context.database
    .where('information package', 'state', 'Access Workarea')
    .find((record) => isMine(record, context) && entriesOf(record).some(({ id }) => id === entry))
  if (!found) return notFound()
  change(context, found['id'], { workarea: [] })
  return ok(undefined, 204)
}

/** The files of a package in a work area, whose paths begin with its folder; undefined without its id. */
export const workAreaFiles = async (act: string, context: Context): Promise<Answer | undefined> => {
  const { account, body, database, request, uploads, url } = context
  const id = url.searchParams.get('id')
  if (id === null && request.method === 'POST' && act !== 'add-to-dip') return notFound()
  if (id === null) return undefined
  const found = database.one('information package', id)
  if (!found || !isMine(found, context) || url.searchParams.get('user') !== String(account.id))
    return notFound()
  const identifier = identifierOf(found)
  const inside = (whole: string) => {
    const [folder, ...rest] = path.posix.normalize(whole).split('/')
    return folder === identifier ? rest.join('/') : undefined
  }
  if (act === 'upload') return keepChunk(identifier, inside, context)
  if (act === 'merge-uploaded-chunks') {
    const merged = await mergeChunks(identifier, inside(textOf(body['path'])), context)
    return merged.status === 200 ? detail(200, 'Merged chunks') : merged
  }
  const at = inside(url.searchParams.get('path') ?? '')
  const entries = at === undefined ? undefined : await uploads.look(identifier, at)
  if (entries === undefined) return notFound()
  return Array.isArray(entries)
    ? paged(entries, url, request.headers.host ?? '', (entry) => entry)
    : { status: 200, bytes: entries }
}
