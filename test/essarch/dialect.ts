import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Account } from '../../electron/local-archive/accounts/accounts.ts'
import { seenBy, type Body, type Kind } from '../../electron/local-archive/database.ts'
import { resources } from '../../electron/local-archive/resources/index.ts'
import type { Answer } from '../../electron/local-archive/http/answer.ts'
import { readBody } from '../../electron/local-archive/http/read-body.ts'
import { signIn, type Asked, type Dialect } from '../../electron/local-archive/http/server.ts'
import { listAnswer, paged } from './lists.ts'
import { createPackage, packageAnswer, workspaceAnswer, type Context, type Workspaces } from './packages.ts'
import { nodesAnswer } from './nodes.ts'
import { openPackageData } from './package-data.ts'
import { openChannel } from './push.ts'
import { people, permissionsOf } from './roles.ts'
import { publish } from './structures.ts'
import { agreements, orderTypes, shown, shownAlone, unitTypes } from './shapes.ts'
import { openSteps } from './steps.ts'
import { lockAgreement, reception } from './submissions.ts'
import { openUploads } from './uploads.ts'
import { isEdited, workAreaEntry, workAreaFiles, workAreas } from './work-areas.ts'
import {
  changeRecord,
  createNode,
  createRecord,
  createUnit,
  describeList,
  describeView,
  searchFilters,
} from './writes.ts'
import { broken, detail, forbidden, html, inLanguage, moments, notFound, ok } from './words.ts'

const features = [
  { name: 'archival descriptions', description: '', enabled: true },
  { name: 'receive', description: '', enabled: true },
  { name: 'transfer', description: '', enabled: false },
]
const organizations = [
  { id: 1, name: 'Reading room', group_type: 1 },
  { id: 2, name: 'Map department', group_type: 1 },
]
/** Folders that the archive works with, as its settings name them. */
const pathsWith = (reception: string) =>
  [
    'access_workarea',
    'disseminations',
    'ingest',
    'ingest_reception',
    'ingest_unidentified',
    'ingest_workarea',
    'preingest',
    'temp',
  ].map((entity, index) => ({
    id: `00000000-0000-4000-8000-00000000000${index}`,
    entity,
    value: entity === 'ingest_reception' ? reception : `/ESSArch/data/${entity}`,
  }))
const lists = 'GET, POST, HEAD, OPTIONS'
const readOnly = ['tags', 'languages', 'features']

/** The methods of a path, which every answer of the framework names. */
const methodsOf = ([list = '', id]: string[]) =>
  readOnly.includes(list)
    ? 'GET, HEAD, OPTIONS'
    : id === undefined
      ? lists
      : 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS'

/** Faults as HTML come from before the framework and name nothing. */
const naming = (methods: string, answer: Answer): Answer =>
  answer.headers?.['Content-Type']?.startsWith('text/html')
    ? answer
    : { ...answer, headers: { Allow: methods, ...answer.headers } }

const levels: Record<string, number> = { info: 10, success: 20, warning: 30, error: 40, critical: 50 }

/**
 * The same holdings the way ESSArch serves them, for trying a client against: ten rows a page unless asked,
 * the last page again past the end, 405 and 403 where it has them, faults as HTML, and what it offers beyond
 * the specification.
 */
export const essarch = (folder: string): Dialect => {
  const steps = openSteps()
  const uploads = openUploads(path.join(folder, 'packages-over-rest'))
  const packageData = openPackageData()
  const receptionFolder = path.join(folder, 'reception')
  mkdirSync(receptionFolder, { recursive: true })
  const pending: Promise<void>[] = []
  const workspaces: Workspaces = { entries: [], dips: new Map(), asTheyLie: new Set() }
  const sessions = new Map<string, number>()
  const chosen = new Map<number, number | null>()

  const me = (account: Account): Body => {
    const current = chosen.has(account.id) ? chosen.get(account.id) : 1
    return {
      ...account.user,
      organizations,
      organizations_ids: organizations.map(({ id }) => id),
      current_organization: organizations.find(({ id }) => id === current) ?? null,
      current_organization_id: current === null ? [] : [current],
      permissions: permissionsOf(account),
      user_permissions: [],
      is_superuser: account.role === 'administrator',
      is_staff: false,
      is_active: true,
      ip_list_columns: [],
      ip_list_view_type: 'ip',
      file_browser_view_type: 'list',
      notifications_enabled: true,
      language: 'DEFAULT',
      url: '',
    }
  }

  /** A token that lives ten hours, and a session that begins with it. */
  const enter = async ({ request, accounts }: Asked): Promise<Answer> => {
    const said = await signIn(request, accounts)
    const token = (said.body as Body)['token']
    if (said.status !== 200 || typeof token !== 'string') return said
    const account = accounts.byToken(token)
    if (account) sessions.set(token.slice(0, 32), account.id)
    return {
      status: 200,
      headers: { 'Set-Cookie': `essarch=${token.slice(0, 32)}; HttpOnly; Path=/` },
      body: moments(said.body) as Body,
    }
  }

  const notificationAnswer = ([id = '', ...rest]: string[], context: Context): Answer | undefined => {
    const { database, account, request, body } = context
    const isTheirs = (record: Body) => (record['user'] as Body)['id'] === account.id
    if (id === 'set-all-seen' && request.method === 'POST') {
      for (const record of database.list('notification').filter(isTheirs))
        database.put('notification', { ...record, seen: true })
      return ok(undefined, 204)
    }
    if (id === 'set-all-seen' && request.method === 'OPTIONS')
      return { status: 200, headers: { Allow: 'POST, OPTIONS' }, body: {} }
    const record = database.one('notification', id)
    if (rest.length > 0 || id === '') return undefined
    if (request.method === 'OPTIONS')
      return { status: 200, headers: { Allow: 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS' }, body: {} }
    if (!record || !isTheirs(record)) return notFound()
    if (request.method !== 'PATCH') return undefined
    if (body['level'] !== undefined && !Object.values(levels).includes(Number(body['level'])))
      return { status: 400, body: { level: [`"${JSON.stringify(body['level'])}" is not a valid choice.`] } }
    const changed = database.put('notification', { ...record, seen: body['seen'] ?? record['seen'] })
    return { status: 200, body: { ...changed, level: levels[String(changed['level'])] ?? changed['level'] } }
  }

  const known = async (asked: Asked, account: Account): Promise<Answer | undefined> => {
    const { request, parts, url, now } = asked
    const database = seenBy(asked.database, account)
    const method = request.method ?? 'GET'
    const isWriting = method === 'POST' || method === 'PATCH' || method === 'PUT'
    // Acts without anything to say carry no body.
    const type = request.headers['content-type']
    const isSaying = isWriting && type !== undefined && !type.startsWith('multipart/')
    const sent = isSaying ? await readBody(request) : { body: {} }
    if ('refusal' in sent) return sent.refusal
    const context: Context = {
      ...asked,
      database,
      account,
      steps,
      workspaces,
      uploads,
      receptionFolder,
      body: sent.body,
      later: (work) => void pending.push(work),
    }
    const [name = '', id, ...rest] =
      parts[0] === 'me' && parts[1] === 'searches' ? ['me/searches', ...parts.slice(2)] : parts
    const host = request.headers.host ?? ''

    if (name === 'me' && id === undefined) {
      if (method === 'PATCH') {
        const wanted = context.body['current_organization']
        if (wanted !== undefined && !organizations.some((record) => record.id === wanted))
          return {
            status: 400,
            body: {
              current_organization: [`Invalid pk "${JSON.stringify(wanted)}" - object does not exist.`],
            },
          }
        if (wanted !== undefined) chosen.set(account.id, Number(wanted))
      }
      return { status: 200, body: moments(me(account)) as Body }
    }
    if (name === 'structure-units' && id !== undefined && rest[0] === 'nodes')
      return nodesAnswer(name, id, context)
    if (name === 'search') {
      if (method === 'OPTIONS')
        return {
          status: 200,
          headers: { Allow: 'GET, POST, HEAD, OPTIONS' },
          body: describeView('Search List', searchFilters),
        }
      if (method === 'POST') return createNode(context)
      if (!permissionsOf(account).includes('tags.search')) return forbidden()
      if (id !== undefined && rest[0] === 'children') return nodesAnswer(name, id, context)
      if (!/^\d*$/.test(url.searchParams.get('page_size') ?? '')) return broken()
      // Filters after the path are taken for an id that there is not.
      return id?.includes('=') ? notFound() : undefined
    }
    if (name === 'workareas') return workAreas(parts.slice(1), context)
    if (name === 'workarea-entries' && id !== undefined) return workAreaEntry(id, context)
    if (name === 'workarea-files')
      return (await workAreaFiles(id ?? '', context)) ?? workspaceAnswer(id ?? '', context)
    if (name === 'paths') return paged(pathsWith(receptionFolder), url, host, (record) => record)
    if (name === 'structure-unit-types' && method === 'POST') return broken()
    if (name === 'profile-ip' || name === 'profile-ip-data')
      return packageData.answer([name, id ?? ''], context)
    if (name === 'order-types') return paged(orderTypes, url, host, (record) => record)
    if (name === 'structure-unit-types') return paged(unitTypes, url, host, (record) => record)
    if (name === 'steps' || name === 'tasks') {
      if (name === 'tasks' && rest[0] === 'retry' && account.role !== 'administrator')
        return detail(403, 'You are not allowed to retry tasks')
      if (name === 'tasks' && rest[0] === 'retry')
        return steps.retry(id ?? '', now.getTime()) ? ok({ status: 'retries task' }) : notFound()
      if (rest[0] === 'children')
        return paged(steps.children(id ?? '', now.getTime()), url, host, (record) => record)
      const found =
        name === 'steps' ? steps.one(id ?? '', now.getTime()) : steps.task(id ?? '', now.getTime())
      return found ? { status: 200, body: found } : notFound()
    }
    if (name === 'notifications') {
      const said = notificationAnswer([id ?? '', ...rest], context)
      if (said) return said
    }
    if (name === 'structures' && rest[0] === 'units')
      return method === 'GET' ? undefined : createUnit(id ?? '', context)
    if (name === 'structures' && rest[0] === 'publish') return publish(id ?? '', context)
    if (name === 'submission-agreements' && rest[0] === 'lock') return lockAgreement(id ?? '', context)
    // In an address of the framework an id has no dot.
    if (name === 'ip-reception' && id?.includes('.')) return html(404, 'Not Found')
    if (name === 'ip-reception') return reception(parts.slice(1).map(decodeURIComponent), context)
    if (name === 'orders' && rest[0] === 'download')
      return database.one('order', id ?? '')
        ? {
            status: 200,
            headers: { 'Content-Type': 'application/zip' },
            bytes: Buffer.from(`PK\u0005\u0006${'\0'.repeat(18)}`),
          }
        : notFound()
    if (name === 'information-packages') {
      if (id === undefined && method === 'POST') return createPackage(context)
      if (id !== undefined && (rest.length > 0 || ['OPTIONS', 'PATCH', 'DELETE'].includes(method)))
        return packageAnswer(id, rest, context)
    }

    const resource = Object.hasOwn(resources, name) ? resources[name] : undefined
    if (!resource) return html(404, 'Not Found')
    if (method === 'OPTIONS' && id === undefined) return describeList(name)
    if (method === 'OPTIONS')
      return {
        status: 200,
        headers: {
          Allow:
            name === 'tags' || name === 'languages'
              ? 'GET, HEAD, OPTIONS'
              : 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS',
        },
        body: { name },
      }
    if (method === 'POST' && id === undefined) return createRecord(name, context)
    if (method === 'PATCH' && id !== undefined) return changeRecord(name, id, context)
    if (method !== 'GET' && method !== 'HEAD') return detail(405, `Method "${method}" not allowed.`)
    if (id === undefined)
      return listAnswer(name, { ...asked, database }, account, chosen.get(account.id) ?? 1)
    if (id.includes('=')) return notFound()
    const found =
      name === 'submission-agreements'
        ? agreements(database).find((record) => record['id'] === id)
        : database.one(resource.kind satisfies Kind, decodeURIComponent(id))
    if (found && name === 'information-packages' && isEdited(found)) return notFound()
    if (found && name === 'information-packages')
      return { status: 200, body: shownAlone(found, database, account, host, now) }
    return found ? { status: 200, body: shown(name, found, database, account, host, now) } : notFound()
  }

  let isIndexed = false
  const answer = async (asked: Asked): Promise<Answer | undefined> => {
    const { request, parts, database, now, caller } = asked
    // Every request asks for the packages of four states; without an index each reads all packages for it.
    if (!isIndexed)
      database.sqlite.exec(`create index if not exists package_by_state
        on record (cast(body ->> 'state' as text)) where kind = 'information package'`)
    isIndexed = true
    steps.settle(now.getTime())
    await Promise.all(pending.splice(0))
    for (const state of ['Creating', 'Submitting', 'Receiving', 'Preserving'])
      for (const record of database.where('information package', 'state', state)) {
        const stepState = steps.stateOf(String(record['id']), now.getTime()) ?? 'SUCCESS'
        if (record['step_state'] !== stepState)
          database.put('information package', { ...record, step_state: stepState })
      }
    const said = async (): Promise<Answer | undefined> => {
      if (parts.join('/') === 'auth/token_login') return enter(asked)
      if (parts[0] === 'auth') return undefined
      if (parts[0] === 'features')
        return { status: 200, headers: { Count: String(features.length) }, body: features }
      if (typeof caller === 'string')
        return { ...detail(401, caller), headers: { 'WWW-Authenticate': 'Token' } }
      return known(asked, caller)
    }
    const whole = await said()
    return whole && naming(methodsOf(parts), inLanguage(whole, request.headers['accept-language']))
  }
  return { answer, isWatchingIngest: false, people, upgrade: openChannel((cookie) => sessions.get(cookie)) }
}
