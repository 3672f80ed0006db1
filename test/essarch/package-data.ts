import { randomUUID } from 'node:crypto'
import type { Answer } from '../../electron/local-archive/http/answer.ts'
import type { Body } from '../../electron/local-archive/database.ts'
import { textOf } from '../../electron/local-archive/http/body-values.ts'
import { paged } from './lists.ts'
import type { Context } from './packages.ts'
import { agreements } from './shapes.ts'
import { templates } from './templates.ts'
import { detail, notFound } from './words.ts'

const defaultsOf = (type: string): Body =>
  Object.fromEntries(
    (templates[type] ?? []).flatMap(({ key, defaultValue }) =>
      defaultValue === undefined ? [] : [[textOf(key), defaultValue]],
    ),
  )

interface PackageProfile {
  id: string
  package: string
  type: string
  profile: string
  versions: { id: string; data: Body; version: number }[]
  current: string
}

/** The data of packages for the profiles of their agreement. They live as long as the archive runs. */
export const openPackageData = () => {
  const rows = new Map<string, PackageProfile>()

  const rowsOf = (record: Body, { database }: Context): PackageProfile[] => {
    const agreement = agreements(database).find(({ id }) => id === record['submission_agreement'])
    return Object.keys(templates).flatMap((type) => {
      const profile = agreement?.[`profile_${type}`]
      const key = `${textOf(record['id'])} ${type}`
      if (typeof profile !== 'string') return []
      const first = { id: randomUUID(), data: defaultsOf(type), version: 0 }
      const row = rows.get(key) ?? {
        id: randomUUID(),
        package: textOf(record['id']),
        type,
        profile,
        versions: [first],
        current: first.id,
      }
      rows.set(key, row)
      return [row]
    })
  }
  const shown = (row: PackageProfile): Body => ({
    id: row.id,
    profile: row.profile,
    ip: row.package,
    profile_name: row.type,
    profile_type: row.type,
    included: false,
    LockedBy: null,
    Unlockable: false,
    data_versions: row.versions.map(({ id }) => id),
    data: { relation: row.id, ...row.versions.find(({ id }) => id === row.current) },
  })
  /** What describes a package is locked once the archive has used it. */
  const isLocked = (row: PackageProfile, { database }: Context) => {
    const record = database.one('information package', row.package)
    const state = textOf(record?.['state'])
    return row.type === 'aip' ? record?.['archived'] === true : state !== 'Preparing'
  }

  return {
    /** The data that a package has now for one of its profiles. */
    of: (id: string, type: string): Body | undefined => {
      const row = rows.get(`${id} ${type}`)
      return row?.versions.find((version) => version.id === row.current)?.data
    },
    answer: ([name, id = '']: string[], context: Context): Answer => {
      const { url, request, body, database } = context
      if (name === 'profile-ip' && request.method === 'GET') {
        const record = database.one('information package', url.searchParams.get('ip') ?? '')
        return paged(record ? rowsOf(record, context) : [], url, request.headers.host ?? '', shown)
      }
      const wanted = name === 'profile-ip' ? id : textOf(body['relation'])
      const row = [...rows.values()].find((known) => known.id === wanted)
      if (!row) return notFound()
      if (isLocked(row, context)) return detail(405, `Method "${request.method}" not allowed.`)
      if (name === 'profile-ip') {
        row.current = textOf(body['data'])
        return { status: 200, body: { ...shown(row), data: row.current } }
      }
      const made = { id: randomUUID(), data: body['data'] as Body, version: Number(body['version']) }
      row.versions.push(made)
      return { status: 201, body: { relation: row.id, ...made, user: context.account.id } }
    },
  }
}
