import { randomUUID } from 'node:crypto'
import { entryIn } from '../../common/records.ts'
import holdings from '../../../resources/sample-holdings.json' with { type: 'json' }
import type { Account } from '../accounts/accounts.ts'
import type { Body, Database, Kind } from '../database.ts'
import { resources } from '../resources/index.ts'
import { enterRecord } from '../resources/resource.ts'

/** Creates a record as a POST of these values would, by the rules of its path. */
export const creating =
  (database: Database, account: Account, now: Date) =>
  (path: string, values: Body): Body => {
    const resource = entryIn(resources, path)
    if (!resource?.fields) throw new Error(`Nothing can be created under ${path}.`)
    const whole = Object.fromEntries(
      Object.entries(resource.fields).map(([name, { otherwise }]) => [
        name,
        values[name] ?? otherwise ?? null,
      ]),
    )
    return enterRecord(resource, whole, database, { account, now })
  }

const series = [
  'Minutes',
  'Registers',
  'Incoming letters',
  'Outgoing letters',
  'Drawings',
  'Accounts',
  'Photographs',
]

type Create = ReturnType<typeof creating>

/** The newest generations of the packages, by the archivist that the sample gives their identifiers. */
const packagesOf = (database: Database, name: string): Body[] => {
  const identifiers = new Set(
    holdings.packages.filter(({ archivist }) => archivist === name).map(({ identifier }) => identifier),
  )
  return database
    .list('information package')
    .filter(
      (body) => body['last_generation'] === true && identifiers.has(String(body['object_identifier_value'])),
    )
}
type First = (kind: Kind, place?: number) => unknown

/** A schedule with a series for each kind of records, and three parts in each. */
const describeSchedule = (create: Create, first: First) => {
  const schedule = create('structures', {
    name: 'Municipal schedule 1952',
    type: first('structure type'),
    description: 'In use by all boards from 1952',
  })
  const units = series.map((name, index) => {
    const code = String.fromCharCode(65 + index)
    const unit = create('structure-units', {
      name,
      structure: schedule['id'],
      reference_code: code,
      type: 'Series',
    })
    for (const part of [1, 2, 3])
      create('structure-units', {
        name: `${name}, part ${part}`,
        structure: schedule['id'],
        parent: unit['id'],
        reference_code: `${code}${part}`,
        type: 'Volume',
      })
    return unit
  })
  return { schedule, units }
}

/** A house with rooms, and shelves in its vaults. */
const describeLocations = (create: Create, first: First) => {
  const house = create('locations', {
    name: 'City archive',
    level_type: first('location level type'),
    function: first('location function type'),
  })
  for (const name of ['Vault 1', 'Vault 2', 'Server room 2', 'Tape room', 'Reading room']) {
    const room = create('locations', {
      name,
      parent: house['id'],
      level_type: first('location level type', 1),
      function: first('location function type', name === 'Reading room' ? 1 : 0),
    })
    if (!name.startsWith('Vault')) continue
    for (const shelf of [1, 2, 3, 4])
      create('locations', {
        name: `Shelf ${shelf}`,
        parent: room['id'],
        level_type: first('location level type', 2),
        function: first('location function type'),
        metric: first('metric type'),
        capacity: 40,
      })
  }
}

const describeArchivist = (create: Create, first: First, name: string, index: number, refCode: unknown) =>
  create('agents', {
    type: first('agent type'),
    ref_code: refCode,
    language: 'sv',
    record_status: 1,
    start_date: `${1860 + ((index * 7) % 90)}-01-01`,
    names: [
      {
        main: name,
        part: '',
        description: '',
        type: first('agent name type'),
        certainty: null,
        start_date: null,
        end_date: null,
      },
    ],
    notes: [
      { text: `Records of ${name}, delivered in several parts.`, type: first('agent note type'), href: '' },
    ],
    places: [
      {
        name: 'Stadshuset',
        type: first('agent place type'),
        description: '',
        start_date: null,
        end_date: null,
      },
    ],
  })

/**
 * Describes the sample holdings: who made them, what they consist of, where the boxes stand, what was
 * ordered.
 */
export const fillDescription = (database: Database, account: Account, now: Date) => {
  const create = creating(database, account, now)
  const first: First = (kind, place = 0) => database.list(kind)[place]?.['id']
  const refCode = create('ref-codes', { country: 'SE', repository_code: 'STA' })
  const { schedule, units } = describeSchedule(create, first)
  describeLocations(create, first)

  const archivists = [...new Set(holdings.packages.map(({ archivist }) => archivist))]
  for (const [index, name] of archivists.entries()) {
    const agent = describeArchivist(create, first, name, index, refCode['id'])
    const archive = create('tags', {
      name: `${name}, archive`,
      type: first('tag version type'),
      reference_code: `SE/STA/${index + 1}`,
      structure: schedule['id'],
      agent: agent['id'],
    })
    const preserved = packagesOf(database, name)
    for (const volume of [1, 2, 3])
      create('tags', {
        name: `Volume ${volume}`,
        type: first('tag version type', 1),
        parent: archive['id'],
        structure: schedule['id'],
        structure_unit: units[(index + volume) % units.length]?.['id'],
        reference_code: `SE/STA/${index + 1}/${volume}`,
        information_package: preserved[volume - 1]?.['id'] ?? null,
      })
  }

  const wanted = database.list('information package').filter((body) => body['last_generation'] === true)
  create('orders', {
    name: 'Reading room, Thursday',
    information_packages: wanted.slice(0, 4).map(({ id }) => id),
    first_name: 'Ruth',
    family_name: 'Cavendish',
  })
  create('me/searches', {
    name: 'Drawings since 2019',
    query: { q: 'ritningar', since: '2019-01-01', id: randomUUID() },
  })
}
