import { startArchive } from '../../electron/local-archive/start.ts'
import type { Answer } from '../../electron/local-archive/http/answer.ts'
import { seenBy, type Body, type Database } from '../../electron/local-archive/database.ts'
import type { Account } from '../../electron/local-archive/accounts/accounts.ts'
import { notify } from '../../electron/local-archive/events.ts'
import type { Asked, Dialect } from '../../electron/local-archive/http/server.ts'
import { builtFile } from '../support/built.ts'
import { packagingScripts } from '../../electron/packaging/scripts.ts'
import { essarch } from '../essarch/dialect.ts'
import { openTurns, requestMs, rowMs } from './recorded-pace.ts'

// The double of ESSArch with many packages, as slow as the recorded one: `node paced-archive.ts FOLDER
// FAMILIES SHARE`, where 0.25 takes a quarter of its times. It tells its parent over the channel what it was
// asked.

const [folder = '.', families = '1', share = '1'] = process.argv.slice(2)

const rowMsOf: Record<string, number> = {
  'information-packages': rowMs.packages,
  'storage-objects': rowMs.copies,
}

const costOf = ([list = '']: string[], body: unknown): number => {
  if (!Array.isArray(body)) return requestMs + (list === 'information-packages' ? rowMs.packages : 0)
  return body.reduce<number>((sum, row: Body) => {
    const isFamily = Array.isArray(row['information_packages'])
    return sum + (isFamily ? rowMs.families : (rowMsOf[list] ?? rowMs.others))
  }, requestMs)
}

/** Families of two generations, with two copies and three events each, made from one of the samples. */
const fill = ({ transaction, put, list, where, nextNumber }: Database, count: number) => {
  const aic = list('information package').find((ip) => ip['package_type'] === 1)
  const [of = {}] = where('information package', 'aic', String(aic?.['id']))
  const [copy = {}] = where('storage object', 'ip', String(of['id']))
  const id = (level: number, number: number) =>
    `${String(number).padStart(8, '0')}-0000-4000-8000-${String(level).padStart(12, '0')}`
  const made = (number: number) => new Date(Date.UTC(2020, 0, 1) + number * 60_000).toISOString()
  let event = nextNumber('event')
  for (let from = 0; from < count; from += 500)
    transaction(() => {
      for (let number = from; number < Math.min(count, from + 500); number += 1) {
        const family = { label: `Volume ${number}`, create_date: made(number), entry_date: made(number) }
        put('information package', {
          ...aic,
          ...family,
          id: id(0, number),
          object_identifier_value: `AIC-${number}`,
        })
        for (const generation of [1, 2]) {
          const identifier = `B-${number}-${generation}`
          const own = id(generation, number)
          put('information package', {
            ...of,
            ...family,
            id: own,
            aic: id(0, number),
            generation,
            object_identifier_value: identifier,
            first_generation: generation === 1,
            last_generation: generation === 2,
          })
          for (const nth of [1, 2])
            put('storage object', {
              ...copy,
              id: id(10 * generation + nth, number),
              ip: own,
              content_location_value: identifier,
              last_changed_local: made(number),
            })
          for (const eventType of [20100, 50600, 30300])
            put('event', {
              id: (event += 1),
              eventIdentifierValue: id(100 + event, number),
              eventType,
              eventDateTime: made(number),
              eventDetail: 'Preserved AIP',
              eventVersion: '1',
              eventOutcome: 0,
              eventOutcomeDetailNote: '',
              linkingAgentIdentifierValue: 'archivist',
              linkingAgentRole: 'Archivist',
              information_package: own,
              transfer: null,
              delivery: null,
            })
        }
      }
    })
}

/** Rows as they were read last: the pace is that of the recorded archive, and not that of the double. */
const rows = new Map<string, Body[]>()
const remembered = new Set<string>()
const remember = (database: Database, account: Account) => {
  const key = `${account.id} ${account.role}`
  if (remembered.has(key)) return
  remembered.add(key)
  const { walk } = seenBy(database, account)
  const records = database.views.get(key)
  if (!records) return
  const walkRemembered: typeof walk = function* (...of) {
    const asked = JSON.stringify(of)
    const found = rows.get(asked) ?? [...walk(...of)]
    rows.set(asked, found)
    yield* found
  }
  database.views.set(key, { ...records, walk: walkRemembered })
}
const prepare = (database: Database) => {
  const { put } = database
  Object.assign(database, {
    put: (...given: Parameters<typeof put>) => {
      rows.clear()
      return put(...given)
    },
  })
  database.sqlite.exec(
    `create index package_by_state on record (cast(body ->> 'state' as text))
       where kind = 'information package'`,
  )
}

/** What the bench wants to happen: `bench/fill`, `bench/change/IDENTIFIER/STATE`, `bench/tell/TEXT`. */
const happen = ({ parts, database, caller, now }: Asked): Answer => {
  const [, what, ...said] = parts.map((part) => decodeURIComponent(part))
  if (what === 'fill') {
    fill(database, Number(families))
    prepare(database)
  }
  if (what === 'change') {
    const [it] = database.where('information package', 'object_identifier_value', said[0] ?? '')
    database.put('information package', { ...it, state: said[1] })
  }
  if (what === 'tell' && typeof caller !== 'string')
    notify(database, now, caller.user, 'success', said[0] ?? '')
  return { status: 204 }
}

const turn = openTurns()

const paced = (double: Dialect): Dialect => ({
  ...double,
  answer: async (asked) => {
    if (asked.parts[0] === 'bench') return happen(asked)
    if (typeof asked.caller !== 'string') remember(asked.database, asked.caller)
    const over = await turn()
    const began = performance.now()
    const answer = await double.answer(asked)
    const wanted = costOf(asked.parts, answer?.body) * Number(share)
    const took = performance.now() - began
    await new Promise((later) => setTimeout(later, Math.max(0, wanted - took)))
    over()
    process.send?.({
      asked: `${asked.request.method} ${asked.url.pathname}${asked.url.search}`,
      late: Math.max(0, took - wanted),
    })
    return answer
  },
})

await startArchive({
  data: folder,
  port: '0',
  sample: true,
  dialect: paced(essarch(folder)),
  textWorker: builtFile('text-worker.js'),
  filesWorker: builtFile('files-worker.js'),
  intakeWorker: builtFile('intake-worker.js'),
  checkScripts: packagingScripts(builtFile('main.js').href).check,
})
