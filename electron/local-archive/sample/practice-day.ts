import type { Account } from '../accounts/accounts.ts'
import { medium, type EventCode } from '../codes.ts'
import type { Body, Database } from '../database.ts'
import { notify, writeEvent } from '../events.ts'
import { practiceId } from './practice-packages.ts'
import { creating } from './sample-description.ts'

const hourMs = 3_600_000

/** Where a day is put down: in this archive, by this person, counted back from the first start. */
interface Day {
  database: Database
  account: Account
  started: Date
}

const hoursAgo = ({ started }: Day, hours: number) => new Date(started.getTime() - hours * hourMs)

const write = (
  day: Day,
  hours: number,
  code: EventCode,
  event: Omit<Parameters<typeof writeEvent>[3], 'by'>,
) =>
  writeEvent(day.database, hoursAgo(day, hours), code, { ...event, by: String(day.account.user['username']) })

/** What is told of something that went wrong, or went well. */
const tell = (day: Day, hours: number, level: 'success' | 'error', message: string) =>
  notify(day.database, hoursAgo(day, hours), day.account.user, level, message)

/** The newest generation of a package of the sample holdings. */
const newestOf = ({ where }: Database, identifier: string): Body | undefined =>
  where('information package', 'object_identifier_value', identifier).find(
    (body) => body['last_generation'] === true,
  )

/** A tape that can no longer be read, with the copies that lie on it. */
const breakTape = (day: Day) => {
  const { database } = day
  const [tape] = database.where('storage medium', 'medium_id', 'LTO-0415')
  if (!tape) return
  database.put('storage medium', { ...tape, status: 100, status_display: medium.status[100] })
  const note = 'LTO-0415 could not be read: three tries, two drives'
  write(day, 31, 50220, { failed: true, note })
  tell(day, 31, 'error', note)
}

/** A package whose last step stopped. */
const stopStep = (day: Day) => {
  const { database } = day
  const body = newestOf(database, 'SE/STA/1444')
  if (!body) return
  database.put('information package', {
    ...body,
    state: 'Preserving',
    step_state: 'FAILURE',
    archived: false,
  })
  const why = 'LTO-0871 was not read back, since no tape drive was free'
  write(day, 5, 40700, { package: String(body['id']), failed: true, note: why })
  tell(day, 5, 'error', `${String(body['label'])} could not be preserved: ${why}`)
}

/** A delivery of this week, in transfers. */
const deliver = (day: Day) => {
  const { database, account } = day
  const create = (path: string, values: Body, hours: number) =>
    creating(database, account, hoursAgo(day, hours))(path, values)
  const delivery = create(
    'deliveries',
    {
      name: 'Harbour Office, last boxes and disks',
      type: 1,
      description: 'Letters, the mailbox and the accounts, handed over when warehouse 2 was emptied.',
      reference_code: `L/${day.started.getFullYear()}/17`,
    },
    76,
  )
  write(day, 76, 20100, { delivery: Number(delivery['id']), note: 'Two boxes and a disk' })
  write(day, 75, 20300, { delivery: Number(delivery['id']), note: 'Registered' })
  const transfers = [
    ['Hamnkontorets brev, tillägg 1939', 'Letters found behind the map case.'],
    ['Mailbox of the harbour master', 'A disk with one mailbox, 2009 to 2014.'],
    ['Crane drawings 1934', 'Eleven sheets, scanned by the City Architect.'],
  ] as const
  transfers.forEach(([name, description], index) => {
    const transfer = create(
      'transfers',
      {
        name,
        delivery: delivery['id'],
        submitter_organization: 'Harbour Office',
        submitter_individual_name: 'Ruth Cavendish',
        submitter_individual_email: 'ruth.cavendish@harbour.example',
        description,
      },
      74 - index,
    )
    write(day, 74 - index, 20100, {
      transfer: String(transfer['id']),
      delivery: Number(delivery['id']),
      note: name,
    })
  })
}

/**
 * What readers asked for this morning, of what is described and of what comes to be preserved: an order shows
 * the packages that are there.
 */
const order = (day: Day) => {
  const { database, account } = day
  const create = creating(database, account, hoursAgo(day, 2))
  const held = (identifier: string) => newestOf(database, identifier)?.['id'] ?? []
  create('orders', {
    name: 'Kv. Oxen: drawings and permits',
    information_packages: [
      held('SE/STA/1037'),
      held('SE/STA/1888'),
      practiceId('SE/STA/3001', 3),
      practiceId('SE/STA/3007', 1),
    ].flat(),
    first_name: 'Edvin',
    family_name: 'Lundgren',
    order_content: 'Cellar before and after 1952, and the permit.',
  })
  create('orders', {
    name: 'Klassfotografier till jubileet',
    information_packages: [held('SE/STA/1074'), practiceId('SE/STA/3002', 2)].flat(),
    first_name: 'Signe',
    family_name: 'Holm',
    order_content: 'Copies of 1907 and 1931.',
  })
}

/**
 * Puts down what an archive that is new has lived through: a delivery of this week, a tape that failed,
 * and the orders of today. Dates are counted back from the first start. Call it inside a transaction.
 */
export const fillDaysBefore = (database: Database, account: Account, started: Date): void => {
  const day = { database, account, started }
  deliver(day)
  breakTape(day)
  for (const body of database.list('order'))
    database.put('order', { ...body, create_date: hoursAgo(day, 20).toISOString() })
  order(day)
}

/** Puts down what happens last: a package stops on its way. Call it inside a transaction. */
export const fillToday = (database: Database, account: Account, started: Date): void =>
  stopStep({ database, account, started })
