import { randomUUID } from 'node:crypto'
import type { Database } from '../../electron/local-archive/database.ts'
import type { Answer } from '../../electron/local-archive/http/answer.ts'
import type { Context } from './packages.ts'
import { permissionsOf } from './roles.ts'
import { detail, forbidden } from './words.ts'

/** A template that is published is changed no more, and archives can be arranged by it. */
export const publish = (id: string, { account, database, now, request }: Context): Answer => {
  const found = database.one('structure', id)
  if (request.method !== 'POST') return detail(405, `Method "${request.method}" not allowed.`)
  if (!permissionsOf(account).includes('tags.publish_structure')) return forbidden()
  if (!found) return detail(404, 'Not found.')
  database.put('structure', { ...found, published: true, published_date: now.toISOString() })
  return { status: 202, body: { detail: 'Publish structure', task: randomUUID() } }
}

/**
 * The structure in which the nodes of a new archive stand: of a published template a copy with its units, any
 * other itself.
 */
export const structureFor = (archive: string, id: string, database: Database): string => {
  const template = database.one('structure', id)
  if (template?.['published'] !== true) return id
  const copy = database.put('structure', {
    ...template,
    id: randomUUID(),
    template: id,
    is_template: false,
    published: false,
    published_date: null,
    archive_name: archive,
  })
  const numbers = new Map<unknown, unknown>([[null, null]])
  for (const unit of database.where('structure unit', 'structure', id)) {
    const { id: number } = database.put('structure unit', {
      ...unit,
      id: database.nextNumber('structure unit'),
      parent: numbers.get(unit['parent']) ?? null,
      structure: copy['id'],
    })
    numbers.set(unit['id'], number)
  }
  return String(copy['id'])
}
