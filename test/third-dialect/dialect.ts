import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Conventions } from '../../electron/archive-client/conventions.ts'
import type { Dialect } from '../../electron/dialects/dialect.ts'
import { plainList } from '../../electron/dialects/listing.ts'
import { noOrders, packageOf, readingOnly } from '../../electron/dialects/read-only.ts'
import type { HeldRecord, PackageFacts, StorageMedium } from '../../electron/dialects/models.ts'

/**
 * An invented archive, which is only read: objects around its lists, cursors, and other names for
 * everything.
 */
const conventions: Conventions = {
  base: 'v2/',
  envelope: { records: 'results', next: 'next' },
  countHeader: 'total',
  usualLength: 3,
  pageParameter: 'nth',
  sizeParameter: null,
  pageMs: 20_000,
  readings: [{ length: 3, parameters: {} }],
}

export const list = <T extends { id: string }>(path: string, read: (record: unknown) => T) =>
  plainList({ path, version: 1, read }, conventions.base)

const Parcel = v.object({
  key: v.string(),
  title: v.string(),
  signature: v.string(),
  sort: v.picklist(['family', 'edition']),
  family: v.nullable(v.string()),
  edition: v.nullable(v.number()),
  isNewest: v.boolean(),
  condition: v.picklist(['safe', 'in work', 'broken']),
  octets: v.number(),
  keptSince: v.string(),
  rule: v.nullable(v.string()),
})
const works = { safe: 'none', 'in work': 'under way', broken: 'failed' } as const
const states = { safe: 'Safe', 'in work': 'In work', broken: 'Failed' }

export const toFacts = (record: unknown): PackageFacts => {
  const parcel = v.parse(Parcel, record)
  return {
    id: parcel.key,
    type: parcel.sort === 'family' ? 'AIC' : 'AIP',
    aic: parcel.family,
    label: parcel.title,
    identifier: parcel.signature,
    state: states[parcel.condition],
    stepState: '',
    work: works[parcel.condition],
    bytes: parcel.octets,
    generation: parcel.edition,
    isLast: parcel.isNewest,
    policy: parcel.rule,
    agreement: null,
    archived: parcel.condition === 'safe',
    since: parcel.keptSince,
    creator: '',
  }
}

const Slot = v.object({
  key: v.string(),
  parcel: v.string(),
  cartridge: v.string(),
  shelf: v.string(),
  on: v.string(),
})
const Cartridge = v.object({
  key: v.string(),
  phase: v.string(),
  room: v.string(),
  octets: v.number(),
  bay: v.string(),
})
const Bay = v.object({ key: v.string(), isOn: v.boolean(), octets: v.number() })
const Rule = v.object({ key: v.string(), title: v.string(), bays: v.array(v.string()) })
const Person = v.object({ key: v.string(), called: v.string(), years: v.string() })

const toMedium = (record: unknown): StorageMedium => {
  const { key, phase, room, octets, bay } = v.parse(Cartridge, record)
  return {
    id: key,
    name: key,
    use: phase === 'open' ? 'written' : 'full',
    statusCode: null,
    status: phase,
    location: room,
    locationStatus: '',
    usedBytes: octets,
    blockSize: '',
    format: '',
    mounts: null,
    created: null,
    agent: '',
    target: bay,
    slot: null,
    drive: null,
    unknown: {},
  }
}

const toPerson = (record: unknown): HeldRecord => {
  const { key, called, years } = v.parse(Person, record)
  return { id: key, title: called, note: years, parent: null, within: null, refs: [] }
}

const lists: Dialect['lists'] = {
  packages: list('parcels', toFacts),
  objects: list('slots', (record) => {
    const { key, parcel, cartridge, shelf, on } = v.parse(Slot, record)
    return {
      id: key,
      package: parcel,
      medium: cartridge,
      mediumId: cartridge,
      path: shelf,
      targetName: '',
      targetPath: '',
      written: on,
      container: false,
    }
  }),
  media: list('cartridges', toMedium),
  targets: list('bays', (record) => {
    const { key, isOn, octets } = v.parse(Bay, record)
    return { id: key, name: key, isEnabled: isOn, capacityBytes: octets, path: '', type: 'TAPE' }
  }),
  policies: list('rules', (record) => {
    const { key, title, bays } = v.parse(Rule, record)
    const methods = bays.map((bay) => ({ id: bay, name: bay, isEnabled: true }))
    return { id: key, name: title, isActive: true, informationClass: null, ingestFolder: null, methods }
  }),
}

export const shelf = {
  name: 'shelf',
  conventions,
  session: {
    accountPath: 'whoami',
    account: async ({ get }) => {
      const { login, called } = v.parse(
        v.object({ login: v.string(), called: v.string() }),
        await get('whoami'),
      )
      return { username: login, fullName: called }
    },
    obtainToken: () => Promise.resolve(undefined),
    endToken: null,
  },
  capabilities: (_archive, question) => {
    const can = readingOnly(question, ['agents'])
    question.shaped(can)
    return Promise.resolve(can)
  },
  chooseOrganization: null,
  lists,
  described: (name) => (name === 'agents' ? list('persons', toPerson) : undefined),
  wordsOf: (record) => {
    const texts = Object.values(record as object).filter((value) => typeof value === 'string')
    const { title = '', called = '', signature = '' } = record as Record<string, string | undefined>
    return { name: title || called, code: signature, body: texts.join('\n') }
  },
  wordsVersion: 1,
  isPreserved: ({ archived }) => archived,
  readPackage: (record) => packageOf(toFacts(record)),
  records: {
    read: (_list, record) => ({
      fields: Object.entries(record as object).map(([name, value]) => ({
        name,
        value: String(value),
        code: null,
        to: null,
      })),
      tables: [],
      leading: ['years'],
    }),
    referringTo: () => [],
  },
  contents: null,
  orders: noOrders,
  news: {
    poll: async ({ stream }) => {
      const digest = createHash('sha256')
      await stream('news', (part) => Boolean(digest.update(part)))
      return digest.digest('hex')
    },
    markSeen: null,
    pushPath: null,
    recent: null,
  },
  creating: null,
  changing: null,
  search: null,
  storedSearches: { queryIn: () => undefined, read: (query) => query },
  transfers: null,
  submission: null,
  files: null,
  work: null,
  dissemination: null,
} satisfies Dialect
