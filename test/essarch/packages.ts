import path from 'node:path'
import { randomUUID } from 'node:crypto'
import type { Account } from '../../electron/local-archive/accounts/accounts.ts'
import type { Body } from '../../electron/local-archive/database.ts'
import { notify, writeEvent } from '../../electron/local-archive/events.ts'
import { packageBody, withoutProfiles } from '../../electron/local-archive/packages.ts'
import type { Answer } from '../../electron/local-archive/http/answer.ts'
import type { Asked } from '../../electron/local-archive/http/server.ts'
import { dispositionOf } from '../../electron/local-archive/files/content-headers.ts'
import { containerOf, readContainer } from './containers.ts'
import { lookInside, typeOf, type Entry } from './files.ts'
import { paged } from './lists.ts'
import { permissionsOf } from './roles.ts'
import { shown, shownAlone } from './shapes.ts'
import type { Steps } from './steps.ts'
import { discard, failureTold, preserveSubmission, submissionActs } from './submissions.ts'
import type { Uploads } from './uploads.ts'
import { isEdited, openGeneration } from './work-areas.ts'
import { broken, detail, forbidden, notFound, ok } from './words.ts'

/** Copies in the workspaces of users, and what was copied into DIPs; both as long as the process. */
export interface Workspaces {
  entries: { id: string; user: number; package: string; readOnly: boolean }[]
  dips: Map<string, string[]>
  /** Packages that were not submitted: what they hold is preserved where it lies. */
  asTheyLie: Set<string>
}

export interface Context extends Asked {
  account: Account
  steps: Steps
  workspaces: Workspaces
  uploads: Uploads
  /** Where folders are laid that are to be received. */
  receptionFolder: string
  body: Body
  /** Something that a step did takes a while: the next answer waits for it. */
  later: (work: Promise<void>) => void
}

const idsIn = (value: unknown) =>
  Array.isArray(value) ? value.map((record) => String(record).split('/').filter(Boolean).at(-1) ?? '') : []

const nameOf = (record: Body) => `${String(record['label'])} (${String(record['object_identifier_value'])})`

/** Makes a DIP that somebody is to prepare; it answers without saying which. */
export const createPackage = ({ database, account, body, now }: Context): Answer => {
  if (!permissionsOf(account).includes('ip.add_informationpackage')) return forbidden()
  const messages: Body = {
    ...(typeof body['label'] !== 'string' || body['label'] === ''
      ? { label: ['This field may not be blank.'] }
      : {}),
    ...(body['package_type'] === undefined ? { package_type: ['This field is required.'] } : {}),
  }
  if (Object.keys(messages).length > 0) return { status: 400, body: messages }
  if (body['package_type'] !== 0 && body['package_type'] !== 4)
    return {
      status: 400,
      body: { package_type: [`"${String(body['package_type'])}" is not a valid choice.`] },
    }
  if (body['package_type'] === 4 && !Array.isArray(body['orders'])) return broken()
  const id = randomUUID()
  const identifier =
    typeof body['object_identifier_value'] === 'string' && body['object_identifier_value'] !== ''
      ? body['object_identifier_value']
      : id
  if (database.where('information package', 'object_identifier_value', identifier).length > 0)
    return detail(409, `IP with object identifer value "${identifier}" already exists`)
  database.transaction(() => {
    database.put(
      'information package',
      packageBody({
        id,
        label: body['label'],
        object_identifier_value: identifier,
        package_type: body['package_type'],
        package_type_display: body['package_type'] === 4 ? 'DIP' : 'SIP',
        create_date: now.toISOString(),
        entry_date: null,
        state: 'Preparing',
        status: 33,
        object_path: `/ESSArch/data/preingest/packages/${identifier}`,
        responsible: account.user,
        object_size: 0,
        object_num_items: 0,
        start_date: null,
        end_date: null,
        content_mets_create_date: null,
        package_mets_create_date: null,
        ...withoutProfiles,
      }),
    )
    for (const order of idsIn(body['orders'])) {
      const record = database.one('order', order)
      if (record)
        database.put('order', {
          ...record,
          information_packages: [...(record['information_packages'] as string[]), id],
        })
    }
    writeEvent(database, now, 30200, {
      package: id,
      note: 'Prepared IP',
      by: String(account.user['username']),
    })
  })
  return { status: 201, body: { detail: 'Prepared IP' } }
}

const acts: Record<string, (record: Body, context: Context) => Answer | Promise<Answer>> = {
  ...submissionActs,
  access: (record, context) => {
    const { body, account, steps, workspaces, database, now } = context
    if (!['extracted', 'tar', 'edit', 'new'].some((key) => body[key] === true))
      return detail(400, 'No actions specified')
    if (record['archived'] !== true && record['state'] !== 'Received')
      return detail(400, `IP must either be archived or have status "Received"`)
    if (body['new'] === true) return openGeneration(record, context)
    const has = workspaces.entries.some(
      (entry) => entry.user === account.id && entry.package === record['id'],
    )
    if (has) return detail(409, 'IP already in workarea')
    const done = () => {
      workspaces.entries.push({
        id: randomUUID(),
        user: account.id,
        package: String(record['id']),
        readOnly: body['edit'] !== true,
      })
      notify(database, new Date(), account.user, 'success', `${nameOf(record)} is now in workspace`)
    }
    const step = steps.begin(
      {
        label: 'Access AIP',
        package: String(record['id']),
        title: nameOf(record),
        user: String(account.user['username']),
        tasks: ['Read from storage', 'Unpack container', 'Copy to workspace'],
        done,
      },
      now.getTime(),
    )
    return {
      status: 200,
      body: { detail: `Accessing ${String(record['object_identifier_value'])}…`, step: step.id },
    }
  },
  'create-dip': (record, { account, steps, database, workspaces, now }) => {
    if (record['package_type'] !== 4)
      return detail(
        400,
        `"${String(record['label'])}" is not a DIP, it is a "${String(record['package_type_display'])}"`,
      )
    if (record['state'] !== 'Prepared')
      return detail(400, `"${String(record['label'])}" is not in the "Prepared" state`)
    const id = String(record['id'])
    database.put('information package', { ...record, state: 'Creating' })
    const done = () => {
      const files = workspaces.dips.get(id) ?? []
      database.put('information package', {
        ...database.one('information package', id),
        state: 'Created',
        object_num_items: files.length,
        object_size: files.length * 1000,
      })
      notify(database, new Date(), account.user, 'success', `Created ${nameOf(record)}`)
    }
    steps.begin(
      {
        label: 'Create DIP',
        package: id,
        title: nameOf(record),
        user: String(account.user['username']),
        tasks: ['Create METS', 'Create container'],
        done,
      },
      now.getTime(),
    )
    return { status: 200, body: { status: 'creating dip' } }
  },
  preserve: (record, context) => {
    const { body, account, steps, database, now } = context
    const submission = preserveSubmission(record, context)
    if (submission) return submission
    if (record['state'] === 'Preserving') return detail(400, 'IP already being preserved')
    if (record['package_type'] !== 2) return detail(400, 'IP must be an AIP')
    database.put('information package', { ...record, state: 'Preserving', archived: false })
    const tasks = ['Validate checksums', 'Generate AIP', 'Write to disk', 'Write to tape', 'Update index']
    // A unit that is not there is found out while the work goes on, as in the archive that this imitates.
    const fails =
      body['structure_unit'] === undefined
        ? {}
        : { fails: { at: 3, message: 'No writable medium for target lto-vault' } }
    const done = () =>
      void database.put('information package', {
        ...database.one('information package', String(record['id'])),
        state: 'Preserved',
        step_state: 'SUCCESS',
        archived: true,
      })
    const step = steps.begin(
      {
        label: 'Preserve AIP',
        package: String(record['id']),
        title: nameOf(record),
        user: String(account.user['username']),
        tasks,
        ...fails,
        done,
        failed: failureTold(context),
      },
      now.getTime(),
    )
    return { status: 200, body: { detail: 'Preserving IP', step: step.id } }
  },
}

/** What lies at a path of what was uploaded; a tar is told flat where that is asked, and only as a whole. */
const lookInUpload = async (
  identifier: string,
  at: string,
  { uploads, url }: Context,
): Promise<Entry[] | Buffer | undefined> => {
  const into = containerOf(at)
  const isExpanded = url.searchParams.get('expand_container') === 'true'
  if (!into || (into.inside === '' && !isExpanded)) return uploads.look(identifier, at)
  if (into.inside !== '' && isExpanded) throw new Error('A folder of a container is not expanded.')
  const { entries, bytes } = readContainer(
    path.join(uploads.folderOf(identifier), into.container),
    into.inside,
  )
  return isExpanded ? entries : bytes
}

const filesAnswer = async (record: Body, inPath: string, context: Context): Promise<Answer> => {
  const { url, request, account, workspaces, uploads, body } = context
  const isResponsible = (record['responsible'] as Body | null)?.['id'] === account.id
  if (!isResponsible && !permissionsOf(account).includes('ip.see_other_user_ip_files'))
    return detail(403, 'You are not allowed to see files in this IP')
  const at = url.searchParams.get('path') ?? inPath
  const identifier = String(record['object_identifier_value'])
  const isUploaded = record['package_type'] !== 4 && uploads.has(identifier)
  if (request.method === 'POST') {
    const made = isUploaded ? await uploads.makeFolder(identifier, String(body['path'])) : undefined
    return made === undefined ? detail(400, 'Cannot add files to this IP') : { status: 201, body: made }
  }
  if (request.method === 'DELETE') {
    if (!isUploaded) return detail(400, 'Cannot delete files of this IP')
    await uploads.remove(identifier, at)
    return ok(undefined, 204)
  }
  const dip = workspaces.dips.get(String(record['id']))
  const found: Entry[] | Buffer | undefined = isUploaded
    ? await lookInUpload(identifier, at, context)
    : record['package_type'] === 4
      ? (dip ?? []).map((name): Entry => ({
          name,
          type: 'file',
          size: 1000,
          modified: record['create_date'],
        }))
      : lookInside(record, at)
  if (found === undefined) return notFound()
  if (!Buffer.isBuffer(found))
    return paged(found, url, request.headers.host ?? '', (entry) =>
      record['archived'] === true && entry.type === 'dir' ? { type: 'dir', name: entry.name } : entry,
    )
  const name = at.split('/').at(-1) ?? at
  const isDownload = url.searchParams.get('download') === 'true'
  // As recorded: what lies in a container is sent without a name.
  const isMember = isUploaded && (containerOf(at)?.inside ?? '') !== ''
  return {
    status: 200,
    headers: {
      'Content-Type': typeOf(name),
      ...(isMember ? {} : { 'Content-Disposition': dispositionOf(name, isDownload) }),
    },
    bytes: found,
  }
}

/**
 * What stands below one package: its files, its events, its copies, its steps, and what one may have done
 * with it.
 */
export const packageAnswer = async (
  id: string,
  [what = '', ...rest]: string[],
  context: Context,
): Promise<Answer> => {
  const { database, url, request, account, now, steps, body } = context
  const host = request.headers.host ?? ''
  const record = database.one('information package', id)
  if (request.method === 'OPTIONS') {
    const writes =
      what === 'files'
        ? ['POST', 'DELETE']
        : what in acts
          ? ['POST']
          : what === ''
            ? ['PUT', 'PATCH', 'DELETE']
            : []
    return {
      status: 200,
      headers: { Allow: [...(what in acts ? [] : ['GET', 'HEAD']), ...writes, 'OPTIONS'].join(', ') },
      body: { name: 'Information Package' },
    }
  }
  if (!record || isEdited(record)) return notFound()
  if (request.method === 'DELETE' && what === '') return discard(record, context)
  if (request.method === 'PATCH' && what === '') {
    const { label = record['label'], submission_agreement = record['submission_agreement'] } = body
    database.put('information package', { ...record, label, submission_agreement })
    return {
      status: 200,
      body: shownAlone({ ...record, label, submission_agreement }, database, account, host, now),
    }
  }
  if (what === 'upload') return (await acts['upload']?.(record, context)) ?? notFound()
  if (what === 'files' && request.method !== 'GET') return filesAnswer(record, rest.join('/'), context)
  if (request.method === 'POST')
    return (
      (Object.hasOwn(acts, what) ? await acts[what]?.(record, context) : undefined) ??
      detail(405, `Method "${request.method}" not allowed.`)
    )
  if (what === 'files') return filesAnswer(record, rest.join('/'), context)
  if (what === 'events')
    return paged(database.where('event', 'information_package', id), url, host, (event) =>
      shown('events', event, database, account, host, now),
    )
  if (what === 'storage-objects')
    return paged(database.where('storage object', 'ip', id), url, host, (object) =>
      shown('storage-objects', object, database, account, host, now),
    )
  if (what === 'workflow') return paged(steps.of(id, now.getTime()), url, host, (step) => step)
  if (what === 'download')
    return record['state'] === 'Created'
      ? { status: 200, headers: { 'Content-Type': 'application/x-tar' }, bytes: Buffer.alloc(10_240) }
      : detail(400, 'Can only download DIPs in state "Created"')
  return notFound()
}

/** The workspace of a user: what lies there, and copying into a DIP. */
export const workspaceAnswer = (
  act: string,
  { request, url, account, database, workspaces, body, now }: Context,
): Answer => {
  const host = request.headers.host ?? ''
  const mine = workspaces.entries.filter(({ user }) => user === account.id)
  if (request.method === 'POST' && act === 'add-to-dip') {
    const dip = database.one('information package', String(body['dip']))
    if (dip?.['package_type'] !== 4) return notFound()
    if ((dip['responsible'] as Body)['id'] !== account.id)
      return detail(403, 'You are not responsible for this IP')
    const src = String(body['src'])
    if (
      !mine.some(({ package: id }) =>
        src.startsWith(String(database.one('information package', id)?.['object_identifier_value'])),
      )
    )
      return detail(404, `${src} does not exist`)
    const there = workspaces.dips.get(String(dip['id'])) ?? []
    workspaces.dips.set(String(dip['id']), [
      ...new Set([...there, typeof body['dst'] === 'string' ? body['dst'] : src]),
    ])
    return ok()
  }
  if (url.searchParams.get('type') === null) return detail(400, 'Missing type parameter')
  const identifiers = mine.map(
    ({ package: id }) => database.one('information package', id)?.['object_identifier_value'],
  )
  return paged(identifiers, url, host, (identifier) => ({
    name: identifier,
    type: 'dir',
    size: 0,
    modified: now.toISOString(),
  }))
}
