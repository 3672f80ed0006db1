import { listNames, type ListName } from '../../contract/lists.ts'
import type { Dialect } from '../dialect.ts'
import { events, notifications } from './activity.ts'
import { agreements } from './agreements.ts'
import { informationPackages } from './packages.ts'
import { recordsOf, tags } from './records.ts'
import { media, methods, objects, policies, relations, targets } from './storage.ts'
import { deliveries, transfers } from './transfers.ts'

export const lists: Dialect['lists'] = {
  packages: informationPackages,
  objects,
  media,
  targets,
  relations,
  methods,
  policies,
  agreements,
  deliveries,
  transfers,
  events,
  notifications,
}

const definitions = new Map(listNames.map((list) => [list, list === 'tags' ? tags() : recordsOf(list)]))
export const described = (list: ListName) => definitions.get(list)
