import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import { chunksOf } from '../../electron/common/chunks.ts'
import type { Answer } from '../../electron/local-archive/http/answer.ts'
import type { Body } from '../../electron/local-archive/database.ts'
import { notify, writeEvent } from '../../electron/local-archive/events.ts'
import { packageBody, withoutProfiles } from '../../electron/local-archive/packages.ts'
import { placesOf } from '../../electron/local-archive/places.ts'
import { textOf } from '../../electron/local-archive/http/body-values.ts'
import { metsOf } from './mets.ts'
import { laidContainer, laidContainers, receiveContainer } from './laid-containers.ts'
import type { Context } from './packages.ts'
import { laidFolders, receiveFolder } from './work-areas.ts'
import { permissionsOf } from './roles.ts'
import { agreements } from './shapes.ts'
import type { Plan } from './steps.ts'
import { detail, forbidden, notFound, ok } from './words.ts'

const run = promisify(execFile)

/** What a stock site's table of MIME types knows, as far as it was met; anything else is refused. */
const knownExtensions = new Set(
  [
    'avi bmp css doc dtd eps gif gml htm html jp2 jpeg jpg log mid mov mp3 mpeg mpg odf odg odp ods odt pdf',
    'png ppt ps rtf sgml sql svg tar tif tiff txt warc wav wma wmv wpd xhtml xls xml xsd xsl xslt',
  ].flatMap((extensions) => extensions.split(' ').map((extension) => `.${extension}`)),
)

export const nameOf = (record: Body) =>
  `${textOf(record['label'])} (${textOf(record['object_identifier_value'])})`
export const identifierOf = (record: Body) => textOf(record['object_identifier_value'])

const mayEverywhere = ({ account }: Context, permission: string) =>
  permissionsOf(account).includes(`ip.${permission}`)

/** Whoever began a package may do everything with it until it is submitted, whatever the role. */
const mayAct = (record: Body, context: Context, permission: string) =>
  (record['responsible'] as Body | null)?.['id'] === context.account.id || mayEverywhere(context, permission)

export const change = ({ database }: Context, id: unknown, changes: Body) =>
  database.put('information package', {
    ...database.one('information package', textOf(id)),
    ...changes,
  })

const inState = (record: Body, ...states: string[]): Answer | undefined =>
  states.includes(textOf(record['state']))
    ? undefined
    : detail(400, `IP must be in state "${states.join('" or "')}"`)

/** The METS of what was uploaded for a package. */
const metsOfUpload = async (record: Body, { uploads }: Context): Promise<string> => {
  const identifier = identifierOf(record)
  const files = await uploads.files(identifier)
  const named = files.map(async ({ path }) => ({ path, content: await uploads.read(identifier, path) }))
  return metsOf(identifier, await Promise.all(named))
}

const sizes = async (record: Body, { uploads }: Context) => {
  const files = await uploads.files(identifierOf(record))
  return {
    object_num_items: files.length,
    object_size: files.reduce((sum, { size }) => sum + size, 0),
  }
}

interface Work {
  label: string
  /** What the package says while it is done, and once it is. */
  during: string
  after: Body
  tasks: Plan
  fails?: { at: number; message: string } | undefined
  done?: () => void
}

/** Tells the one who asked for some work of a task of it that failed; the package is not named. */
export const failureTold =
  ({ database, account }: Context) =>
  (label: string) =>
    void notify(database, new Date(), account.user, 'error', `"${label}" failed`)

/** Begins a step of a package; a failure never shows in its state. */
export const begin = (record: Body, context: Context, work: Work) => {
  const id = textOf(record['id'])
  change(context, id, { state: work.during, status: 0, step_state: 'STARTED' })
  return context.steps.begin(
    {
      label: work.label,
      package: id,
      title: nameOf(record),
      user: textOf(context.account.user['username']),
      tasks: work.tasks,
      fails: work.fails,
      done: () => {
        change(context, id, { status: 100, step_state: 'SUCCESS', ...work.after })
        work.done?.()
      },
      failed: failureTold(context),
    },
    context.now.getTime(),
  )
}

const prepare = async (record: Body, context: Context): Promise<Answer> => {
  if (!mayAct(record, context, 'prepare_ip')) return forbidden()
  if (record['submission_agreement_locked'] !== true)
    return detail(400, 'IP requires locked SA to be prepared')
  const wrong = inState(record, 'Preparing')
  if (wrong) return wrong
  await context.uploads.lay(identifierOf(record))
  begin(record, context, {
    label: 'Create Physical Model',
    during: 'Preparing',
    after: { state: 'Prepared' },
    tasks: ['Create Physical Model'],
  })
  return ok()
}

const upload = async (record: Body, context: Context): Promise<Answer> => {
  if (!mayAct(record, context, 'can_upload')) return forbidden()
  const wrong = inState(record, 'Prepared', 'Uploading')
  if (wrong) return wrong
  return keepChunk(identifierOf(record), (whole) => whole, context)
}

/**
 * Keeps a chunk of a file, or says whether it is there; of one of another size it says nothing but 400.
 * @param insideOf where a path of the form lies in the package; undefined for one that lies elsewhere
 */
export const keepChunk = async (
  identifier: string,
  insideOf: (whole: string) => string | undefined,
  { request, url, uploads }: Context,
): Promise<Answer> => {
  const { form, file } =
    request.method === 'POST' ? await readForm(request) : { form: url.searchParams, file: undefined }
  const said = (name: string) => textOf(form.get(name))
  const inside = insideOf(path.posix.join(said('destination'), said('flowRelativePath')))
  if (inside === undefined) return detail(400, 'Illegal path')
  const chunk = Number(said('flowChunkNumber'))
  if (!file) {
    const size = await uploads.sizeOfChunk(identifier, inside, chunk)
    const isWhole = size === Number(said('flowChunkSize'))
    return { status: size === undefined ? 204 : isWhole ? 200 : 400, bytes: Buffer.alloc(0) }
  }
  return (await uploads.keepChunk(identifier, inside, chunk, file))
    ? { status: 201, body: 'Uploaded chunk' }
    : detail(400, 'Illegal path')
}

/** The fields of a multipart form, and the bytes of its file. */
const readForm = async (request: IncomingMessage) => {
  const parts: Buffer[] = []
  for await (const part of chunksOf(request)) parts.push(part)
  const form = await new Response(Buffer.concat(parts), {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  }).formData()
  const file = form.get('file')
  if (!(file instanceof Blob)) throw new Error('A chunk without a file.')
  return { form, file: Buffer.from(await file.arrayBuffer()) }
}

const merge = (record: Body, context: Context): Promise<Answer> =>
  mergeChunks(identifierOf(record), textOf(context.body['path']), context)

export const mergeChunks = async (
  identifier: string,
  inside: string | undefined,
  { uploads }: Context,
): Promise<Answer> =>
  inside !== undefined && (await uploads.merge(identifier, inside))
    ? { status: 200, body: 'Merged chunks' }
    : detail(404, 'Chunks not yet visible on disk')

const setUploaded = async (record: Body, context: Context): Promise<Answer> => {
  if (!mayAct(record, context, 'set_uploaded')) return forbidden()
  const wrong = inState(record, 'Prepared', 'Uploading')
  if (wrong) return wrong
  change(context, record['id'], { state: 'Uploaded', ...(await sizes(record, context)) })
  return ok()
}

/** The file beyond the site's table of MIME types; undefined where every extension is known. */
const unknownFile = async (record: Body, { uploads }: Context): Promise<string | undefined> =>
  (await uploads.files(identifierOf(record))).find(
    (file) => !knownExtensions.has(path.extname(file.path).toLowerCase()),
  )?.path

const create = async (record: Body, context: Context): Promise<Answer> => {
  if (!mayAct(record, context, 'create_sip')) return forbidden()
  const wrong = inState(record, 'Uploaded')
  if (wrong) return wrong
  const unknown = await unknownFile(record, context)
  const root = `/ESSArch/data/preingest/packages/${identifierOf(record)}`
  const message = `Extension of '${root}/${unknown}' is missing from mimetypes and is not allowed`
  const counts = await sizes(record, context)
  begin(record, context, {
    label: 'Create SIP',
    during: 'Creating',
    after: { state: 'Created', ...counts },
    tasks: [
      'Download Schemas',
      'Generate contentmetadata',
      { step: 'Validation', tasks: ['Validate content-mets', 'Validate premis'] },
      'Create container',
      'Set status to created SIP',
    ],
    fails: unknown === undefined ? undefined : { at: 1, message },
  })
  return ok({ status: 'creating ip' })
}

const submit = (record: Body, context: Context): Answer => {
  if (!mayAct(record, context, 'submit_sip')) return forbidden()
  const wrong = inState(record, 'Created')
  if (wrong) return wrong
  begin(record, context, {
    label: 'Submit SIP',
    during: 'Submitting',
    after: { state: 'Submitted' },
    tasks: ['Generate package-mets', 'Submit SIP'],
  })
  return ok({ status: 'submitting ip' })
}

/** The AIC of a package that is received. */
export const aicOf = (record: Body, id: string, made: string): Body =>
  packageBody({
    id,
    label: record['label'],
    object_identifier_value: id,
    package_type: 1,
    package_type_display: 'AIC',
    responsible: record['responsible'],
    create_date: made,
    entry_date: null,
    state: '',
    object_size: record['object_size'],
    object_num_items: 0,
    start_date: null,
    end_date: null,
    ...withoutProfiles,
  })

const receive = (record: Body, context: Context): Answer => {
  if (!mayEverywhere(context, 'receive')) return forbidden()
  const wrong = inState(record, 'Submitted')
  if (wrong) return wrong
  const { database, now } = context
  const aic = randomUUID()
  const begun = now.toISOString()
  begin(record, context, {
    label: 'Receive from reception',
    during: 'Receiving',
    after: { state: 'Received', package_type: 2, package_type_display: 'AIP', aic, generation: 0 },
    tasks: [
      { step: 'Validate SIP', tasks: ['Validate package-mets', 'Redundancy check against package-mets'] },
      'Receive SIP',
    ],
    done: () => {
      database.put(
        'information package',
        aicOf(database.one('information package', textOf(record['id'])) ?? record, aic, begun),
      )
      change(context, record['id'], { first_generation: true, last_generation: true })
    },
  })
  return ok({ detail: `Receiving ${nameOf(record)}` })
}

/**
 * Every target of the policy gets a copy, the first as a folder and the others as a tar, as a stock site has
 * it. A target that is no folder of this computer has its record alone.
 */
const keepCopies = async (record: Body, { database, uploads }: Context): Promise<void> => {
  const agreement = agreements(database).find(({ id }) => id === record['submission_agreement'])
  const policy = database.one('storage policy', textOf(agreement?.['policy']))
  const moment = new Date().toISOString()
  const identifier = identifierOf(record)
  for (const [index, { medium, target }] of (policy ? placesOf(database, policy) : []).entries()) {
    const isContainer = index > 0
    const name = isContainer ? `${identifier}.tar` : identifier
    const folder = textOf(target['target'])
    if (existsSync(folder) && isContainer)
      await run('tar', [
        '-cf',
        path.join(folder, name),
        '-C',
        path.dirname(uploads.folderOf(identifier)),
        identifier,
      ])
    else if (existsSync(folder))
      await cp(uploads.folderOf(identifier), path.join(folder, name), { recursive: true })
    database.put('storage object', {
      id: randomUUID(),
      content_location_type: 200,
      content_location_value: name,
      content_location_value_display: `${folder}/${name}`,
      last_changed_local: moment,
      last_changed_external: null,
      ip: record['id'],
      medium_id: medium['medium_id'],
      target_name: target['name'],
      target_target: folder,
      storage_medium: medium['id'],
      container: isContainer,
      ip_object_identifier_value: identifier,
      ip_object_size: textOf(record['object_size']),
    })
  }
}

/** Removes a package that is not preserved, and its files, some time later. */
export const discard = (record: Body, context: Context): Answer => {
  if (!mayAct(record, context, 'delete_informationpackage') || record['archived'] === true) return forbidden()
  const { database, uploads } = context
  context.later(
    uploads.remove(identifierOf(record), '').then(() => {
      database.sqlite
        .prepare("delete from record where kind = 'information package' and id = ?")
        .run(textOf(record['id']))
    }),
  )
  return {
    status: 202,
    body: { detail: 'Deleting information package', task: randomUUID() },
  }
}

const preserveTasks: Plan = [
  { step: 'Generate AIP', tasks: ['Download Schemas', 'Generate contentmetadata'] },
  { step: 'Write to storage', tasks: ['Create container', 'Write to disk'] },
  'Write to search index',
  'Mark as archived',
]

/** A submitted package lies whole below content/{identifier}/ of what is preserved. */
const layBelowContent = async (identifier: string, { uploads }: Context): Promise<void> => {
  const moved = `content/${identifier}`
  for (const name of ['content', 'metadata']) await uploads.move(identifier, name, `.new/${moved}/${name}`)
  await uploads.move(identifier, '.new/content', 'content')
  await uploads.remove(identifier, '.new')
  await uploads.makeFolder(identifier, 'metadata')
}

const finishPreserving = async (record: Body, context: Context): Promise<void> => {
  const { uploads, database, account, workspaces } = context
  const identifier = identifierOf(record)
  if (!workspaces.asTheyLie.has(textOf(record['id']))) await layBelowContent(identifier, context)
  await uploads.write(identifier, 'ipevents.xml', '<events/>\n')
  await uploads.write(identifier, 'mets.xml', await metsOfUpload(record, context))
  const kept = change(context, record['id'], {
    state: 'Preserved',
    archived: true,
    ...(await sizes(record, context)),
  })
  await keepCopies(kept, context)
  const by = textOf(account.user['username'])
  writeEvent(database, new Date(), 30300, {
    package: textOf(record['id']),
    note: `Preserved AIP (${identifier})`,
    by,
  })
  notify(database, new Date(), account.user, 'success', `${nameOf(record)} is now preserved`)
}

const preserveReceived = async (record: Body, context: Context): Promise<Answer> => {
  if (!mayEverywhere(context, 'preserve')) return forbidden()
  if (record['state'] === 'Preserving') return detail(400, 'IP already being preserved')
  const empty = (await context.uploads.files(identifierOf(record), 'content')).find(({ size }) => size === 0)
  // What was received as a container was in no step before that knows its extensions.
  const unknown = record['package_mets_size'] === undefined ? undefined : await unknownFile(record, context)
  const root = `/ESSArch/data/ingest/packages/${identifierOf(record)}`
  const message = [
    `Failed to extract content for file with name ${path.posix.basename(empty?.path ?? '')},`,
    'status code: 422, response: org.apache.tika.exception.ZeroByteFileException:',
    'InputStream must have > 0 bytes',
  ].join(' ')
  const step = begin(record, context, {
    label: 'Preserve Information Package',
    during: 'Preserving',
    after: {},
    tasks: preserveTasks,
    fails:
      unknown !== undefined
        ? { at: 1, message: `Extension of '${root}/${unknown}' is missing from mimetypes and is not allowed` }
        : empty === undefined
          ? undefined
          : { at: 4, message },
    done: () => {
      context.later(finishPreserving(record, context))
    },
  })
  return ok({ detail: `Preserving ${nameOf(record)}...`, step: step.id })
}

/** What one may do with a package that was made over REST, by the path below it. */
export const submissionActs: Record<string, (record: Body, context: Context) => Answer | Promise<Answer>> = {
  prepare,
  upload,
  'merge-uploaded-chunks': merge,
  'set-uploaded': setUploaded,
  create,
  submit,
}

/** Preserves what was received; nothing where the package did not come over REST. */
export const preserveSubmission = (record: Body, context: Context): Promise<Answer> | undefined =>
  context.uploads.has(identifierOf(record)) && record['archived'] !== true
    ? preserveReceived(record, context)
    : undefined

export const lockAgreement = (agreement: string, context: Context): Answer => {
  const record = context.database.one('information package', textOf(context.body['ip']))
  if (!record) return notFound()
  if (!mayAct(record, context, 'lock_sa')) return forbidden()
  if (record['submission_agreement'] !== agreement)
    return detail(400, 'This SA is not connected to the selected IP')
  change(context, record['id'], { submission_agreement_locked: true })
  return ok({ status: 'Locked submission agreement' })
}

/** What lies in the reception: packages that were submitted, by their identifiers. */
export const reception = ([identifier, act]: string[], context: Context): Answer => {
  const { database, request } = context
  if (identifier === 'upload' && request.method === 'POST') return forbidden()
  const waiting = database
    .where('information package', 'state', 'Submitted')
    .concat(database.where('information package', 'state', 'Receiving'))
  const detailOf = (record: Body): Body => ({
    id: identifierOf(record),
    label: record['label'],
    object_identifier_value: identifierOf(record),
    object_size: record['object_size'],
    object_path: `/ESSArch/data/ingest/reception/${identifierOf(record)}.tar`,
    create_date: record['create_date'],
    entry_date: record['create_date'],
    information_class: null,
    agents: {},
    altrecordids: { SUBMISSIONAGREEMENT: [record['submission_agreement']] },
    start_date: null,
    end_date: null,
    reference_codes: [],
    system_version: [],
    system_type: [],
  })
  const nothing = Object.fromEntries(
    [
      'generation message_digest_algorithm message_digest_algorithm_display content_mets_create_date',
      'content_mets_size content_mets_digest_algorithm content_mets_digest_algorithm_display start_date',
      'package_mets_create_date package_mets_size package_mets_digest_algorithm appraisal_date end_date',
      'package_mets_digest_algorithm_display workarea first_generation last_generation organization',
      'new_version_in_progress',
    ]
      .flatMap((names) => names.split(' '))
      .map((name) => [name, null]),
  )
  const shownOf = (record: Body): Body => ({
    ...withoutProfiles,
    ...nothing,
    'profile_Action Workflow': null,
    permissions: [],
    submission_agreement_name: '',
    submission_agreement_data: { data: {} },
    id: identifierOf(record),
    label: record['label'],
    object_identifier_value: identifierOf(record),
    object_size: record['object_size'],
    object_path: `/ESSArch/data/ingest/reception/${identifierOf(record)}.tar`,
    submission_agreement: record['submission_agreement'],
    package_type: null,
    create_date: record['create_date'],
    entry_date: record['create_date'],
    state: 'At reception',
    status: 100,
    step_state: 'SUCCESS',
    agents: {},
    altrecordids: {},
  })
  const shownFolder = (name: string): Body => ({
    ...withoutProfiles,
    ...nothing,
    'profile_Action Workflow': null,
    permissions: null,
    submission_agreement_name: '',
    submission_agreement_data: { data: {} },
    id: name,
    object_identifier_value: name,
    submission_agreement: null,
    package_type: null,
    entry_date: null,
    state: 'At reception',
    status: 100,
    step_state: 'SUCCESS',
    agents: null,
    altrecordids: null,
  })
  const shownContainer = (laid: Body): Body => ({
    ...shownFolder(textOf(laid['id'])),
    ...laid,
  })
  if (identifier === undefined) {
    const phrase = context.url.searchParams.get('search') ?? ''
    const rows = [
      ...waiting.map(shownOf),
      ...laidContainers(context).map(shownContainer),
      ...laidFolders(context).map(shownFolder),
    ].filter(({ id }) => textOf(id).includes(phrase))
    return { status: 200, headers: { Count: String(rows.length) }, body: rows }
  }
  if (act === 'receive') {
    const received = receiveContainer(identifier, context)
    if (received) return received
  }
  const laid = act === undefined ? laidContainer(identifier, context) : undefined
  if (laid) return { status: 200, body: laid }
  if (laidFolders(context).includes(identifier))
    return act === 'receive' ? receiveFolder(identifier, context) : notFound()
  const found = waiting.find((record) => identifierOf(record) === identifier)
  if (!found) {
    const isKnown = database.where('information package', 'object_identifier_value', identifier).length > 0
    if (isKnown && act === 'receive') return detail(409, `IP with id ${identifier} already exists`)
    return detail(404, `/ESSArch/data/ingest/reception/${identifier}.xml does not exist`)
  }
  if (act === 'receive' && request.method === 'POST') return receive(found, context)
  return { status: 200, body: detailOf(found) }
}
