import { hash } from 'node:crypto'
import type { Body, Database } from '../../electron/local-archive/database.ts'
import { moments } from './words.ts'

/** An id that stands for another one, always the same. */
const idFor = (text: string): string => {
  const hex = hash('sha256', text)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return [...parts, hex.slice(20, 32)].join('-')
}

const parts = [
  ['content', 'directory', 1],
  ['mets.xml', 'document', 2],
  ['premis.xml', 'document', 2],
] as const

/** Every file and every folder of a preserved package is a tag too. */
export const partsOfPackages = (database: Database, index: string): Body[] =>
  index === 'archive' || index === 'component'
    ? []
    : [...database.walk('information package')]
        .filter((record) => record['archived'] === true && record['package_type'] !== 1)
        .flatMap((record) =>
          parts.map(([name, kind, type]) => ({
            id: idFor(`tag ${String(record['id'])} ${name}`),
            current_version: {
              id: idFor(`version ${String(record['id'])} ${name}`),
              elastic_index: kind,
              name,
              name_with_dates: name,
              type,
              create_date: moments(record['create_date']),
              start_date: null,
              end_date: null,
              organization: { id: 1, name: 'Default', group_type: 1 },
              agent: null,
            },
            other_versions: [],
            structures: [],
          })),
        )

const placeFor = (id: unknown) => (typeof id === 'string' ? idFor(`place ${id}`) : null)

/**
 * A tag has an id of its own, and so has its place in a structure, by which places name what they stand
 * below; whatever else names a tag names its version.
 */
export const withOwnIds = (tag: Body): Body => ({
  ...tag,
  id: idFor(`tag ${String(tag['id'])}`),
  structures: (tag['structures'] as Body[]).map(({ id, parent, structure }) => ({
    id: placeFor(id),
    parent: placeFor(parent),
    structure,
  })),
})

/** The tags of a kind; an empty one is any. */
export const isOfIndex =
  (index: string) =>
  (tag: Body): boolean =>
    index === '' || (tag['current_version'] as Body)['elastic_index'] === index
