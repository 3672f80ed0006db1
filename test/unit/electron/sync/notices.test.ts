import path from 'node:path'
import { expect, test } from 'vitest'
import type { MessageContent } from '../../../../electron/contract/alerts.ts'
import { messageText, messageTitle } from '../../../../electron/language/messages.ts'
import { wordsIn } from '../../../../electron/language/words.ts'
import { migrations, openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import { openDatabase } from '../../../../electron/store/open-database.ts'
import { fromColumns, toColumns, messageInJournal } from '../../../../electron/store/desk/message-columns.ts'
import { openAlertQuestions } from '../../../../electron/store/lists/alert-questions.ts'
import { cacheFileOf } from '../../../../electron/store/cache/caches.ts'
import { openNotices, type Notice, type NoticeMode } from '../../../../electron/sync/notices.ts'
import { scratch } from '../../../support/scratch.ts'
import { seeded } from '../../../faults/mutate.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

const packageOf = (id: string, label: string) => ({
  id,
  label,
  object_identifier_value: `ID ${id}`,
  package_type: 2,
  state: 'Preserved',
  object_size: 1,
})
type Message = [id: number, level: string, message: string, seen?: boolean, time?: string]

/**
 * A desk of which only its notices live: the archive's list, the ledger on disk, and a system that shows, or
 * does not.
 */
const open = (folder: string) => {
  const copies = new Map<string, ReturnType<typeof openLocalCopy>>()
  const copyOf = (archive: string) => {
    const copy = copies.get(archive) ?? openLocalCopy(cacheFileOf(folder, archive))
    copies.set(archive, copy)
    return copy
  }
  const file = path.join(folder, 'desk.sqlite')
  const world = {
    mode: 'on' as NoticeMode,
    isBlocked: false,
    diesAt: '' as '' | 'before showing' | 'after showing',
    now: Date.parse('2026-01-01T08:00:00Z'),
    language: 'en' as 'en' | 'sv',
  }
  let dying = Promise.withResolvers<void>()
  const neverShown = () => {
    dying.resolve()
    return new Promise<boolean>(() => undefined)
  }
  const questions = new Map<string, ReturnType<typeof openAlertQuestions>>()
  /** What the thread of questions answers. */
  const questionsOf = (archive: string) => {
    const known = questions.get(archive)
    if (known) return known
    const { cache } = copyOf(archive)
    cache.database.prepare('attach ? as desk').run(file)
    const opened = openAlertQuestions(cache, archive)
    questions.set(archive, opened)
    return opened
  }
  const shown: Notice[] = []
  const start = () => {
    const store = openDeskStore(file, () => new Date(world.now))
    const notices = openNotices({
      unknown: (archive, most, upTo) => Promise.resolve(questionsOf(archive).unknown(most, upTo)),
      lastRow: (archive) => copyOf(archive).cache.lastRow('notifications'),
      store,
      now: () => new Date(world.now),
      words: () => wordsIn(world.language, world.language).notices,
      mode: () => world.mode,
      changed: () => undefined,
      show: async (notice) => {
        if (world.diesAt === 'before showing') return neverShown()
        if (world.isBlocked) return false
        shown.push(notice)
        return world.diesAt === 'after showing' ? neverShown() : true
      },
    })
    return { store, notices }
  }
  let running = start()
  return {
    world,
    /** Once the desk has come to where it dies. */
    dying: () => dying.promise,
    shown,
    hold: copyOf('a').hold,
    ledger: () => running.store.ledger,
    opened: (archive: string) => questionsOf(archive).opened(50),
    collect: (archive = 'a') => running.notices.collect(archive),
    due: () => running.notices.showDue(),
    own: (key: string) =>
      running.notices.ofDesk('a', {
        key,
        content: { says: 'failure', name: key },
        place: 'desk',
        isFailure: true,
      }),
    tell: (key: string, content: MessageContent) =>
      running.notices.ofDesk('a', { key, content, place: 'desk', isFailure: false }),
    journal: () =>
      running.store.database
        .prepare('select act, name, detail from journal order by number')
        .all()
        .map(({ act, name, detail }) => ({ act: String(act), name: String(name), detail: String(detail) })),
    holdMessages: (messages: Message[], archive = 'a') =>
      copyOf(archive).hold(
        'notifications',
        messages.map(([id, level, message, seen = false, time = '2026-01-01T00:00:00Z']) => ({
          id,
          level,
          message,
          time_created: time,
          seen,
        })),
        '2026-01-01T00:00:00Z',
      ),
    /** As a power cut does: whatever was awaited never comes. */
    die: () => {
      world.diesAt = ''
      dying = Promise.withResolvers()
      running.store.close()
      running = start()
    },
    [Symbol.dispose]: () => {
      running.store.close()
      for (const copy of copies.values()) copy.close()
    },
  }
}

test('each notification is told once; what was there before is not, and many become one, failures first', async () => {
  using place = scratch()
  using desk = open(place.folder)
  desk.hold('packages', [packageOf('p', 'Örtagården')], '2026-01-01T00:00:00Z')
  const old: Message = [1, 'success', 'Old news']
  desk.holdMessages([old])
  await desk.collect()
  const preserved: Message = [2, 'success', 'Örtagården (ID p) is now preserved']
  desk.holdMessages([preserved, old])
  await desk.collect()
  await desk.collect()
  expect(desk.shown.splice(0)).toEqual([
    { title: 'Preserved', body: 'Örtagården', place: 'packages/p', archive: 'a', keys: ['n2'] },
  ])
  desk.holdMessages([
    ...[6, 5, 4, 3].map((id): Message => [id, id === 4 ? 'error' : 'success', `Message ${id}`]),
    preserved,
    old,
  ])
  await desk.collect()
  expect(desk.shown.splice(0)).toEqual([
    {
      title: 'Needs you',
      body: '4 messages, 1 of them about failures',
      place: 'desk',
      archive: 'a',
      keys: [],
    },
  ])
  desk.holdMessages([
    [8, 'error', 'Broken'],
    [7, 'success', 'Lonely (ID q) is in the workspace'],
    [9, 'info', 'Seen elsewhere', true],
    preserved,
    old,
  ])
  await desk.collect()
  expect(desk.shown.splice(0).map(({ body }) => body)).toEqual([
    'Broken',
    'Lonely (ID q) is in the workspace',
  ])
  expect(desk.ledger().unseen('a')).toBe(7)
})

test('only what says that a package is preserved is called so, whatever else is told of a known one', async () => {
  using place = scratch()
  using desk = open(place.folder)
  const both = [packageOf('p', 'Örtagården'), packageOf('q', 'Bevarade brev')]
  desk.hold('packages', both, '2026-01-01T00:00:00Z')
  await desk.collect()
  const titles = []
  for (const [id, message] of [
    'Bevarade brev (ID q) has been deleted',
    'Örtagården (ID p) is now in workspace',
    'Örtagården (ID p) has been changed',
    'Örtagården (ID p) is now preserved',
  ].entries()) {
    desk.holdMessages([[id + 1, 'success', message]])
    await desk.collect()
    titles.push(desk.shown.splice(0).map(({ title, place: to }) => [title, to]))
  }
  expect(titles).toEqual([
    [['From the archive', 'packages/q']],
    [['From the archive', 'packages/p']],
    [['From the archive', 'packages/p']],
    [['Preserved', 'packages/p']],
  ])
})

test('a burst of failures without a package is one notice, and the good news stands beside it', async () => {
  using place = scratch()
  using desk = open(place.folder)
  desk.hold('packages', [packageOf('p', 'Örtagården')], '2026-01-01T00:00:00Z')
  await desk.collect()
  desk.holdMessages([
    [12, 'success', 'Örtagården (ID p) is now preserved'],
    ...[11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((id): Message => [id, 'error', `"Task ${id}" failed`]),
  ])
  await desk.collect()
  expect(desk.shown.map(({ title, body }) => [title, body])).toEqual([
    ['Needs you', '10 messages, 10 of them about failures'],
    ['Preserved', 'Örtagården'],
  ])
})

test('what the system does not show stays due, and is told in one digest when it does again', async () => {
  using place = scratch()
  using desk = open(place.folder)
  await desk.collect()
  desk.world.isBlocked = true
  desk.holdMessages([[1, 'success', 'One']])
  await desk.collect()
  desk.holdMessages([1, 2, 3, 4, 5].map((id): Message => [id, 'success', `Message ${id}`]))
  await desk.collect()
  expect(desk.shown).toEqual([])
  desk.die()
  desk.world.isBlocked = false
  await desk.due()
  expect(desk.shown.map(({ body }) => body)).toEqual(['5 messages'])
  await desk.due()
  expect(desk.shown).toHaveLength(1)
})

test('held back, notices are told in one digest afterwards; turned off, they are not told and stay unread', async () => {
  using place = scratch()
  using desk = open(place.folder)
  await desk.collect()
  desk.world.mode = 'quiet'
  for (const count of [1, 2, 3, 4, 5, 6]) {
    desk.holdMessages(
      Array.from({ length: count }, (_, index): Message => [index + 1, 'success', `Message ${index + 1}`]),
    )
    await desk.collect()
  }
  expect(desk.shown).toEqual([])
  desk.world.mode = 'on'
  await desk.due()
  expect(desk.shown.splice(0).map(({ body }) => body)).toEqual(['6 messages'])
  desk.world.mode = 'off'
  desk.holdMessages(
    Array.from({ length: 7 }, (_, index): Message => [index + 1, 'success', `Message ${index + 1}`]),
  )
  await desk.collect()
  desk.world.mode = 'on'
  await desk.due()
  expect(desk.shown).toEqual([])
  expect(desk.ledger().unseen('a')).toBe(7)
})

test.each(['before showing', 'after showing'] as const)(
  'a desk that ends %s counts the message in a digest that says so',
  async (moment) => {
    using place = scratch()
    using desk = open(place.folder)
    await desk.collect()
    desk.holdMessages([[1, 'error', 'Broken']])
    desk.world.diesAt = moment
    void desk.collect()
    await desk.dying()
    desk.die()
    await desk.due()
    expect(desk.shown.at(-1)).toMatchObject({ body: '1 message may not have been shown', place: 'desk' })
    const told = desk.shown.length
    await desk.due()
    desk.die()
    await desk.due()
    expect(desk.shown).toHaveLength(told)
  },
)

test('the same id in two archives is two messages; a failure of the desk itself is told once, and first', async () => {
  using place = scratch()
  using desk = open(place.folder)
  await desk.collect('a')
  await desk.collect('b')
  desk.holdMessages([[1, 'success', 'Of a']], 'a')
  desk.holdMessages([[1, 'success', 'Of b']], 'b')
  await desk.collect('a')
  await desk.collect('b')
  expect(desk.shown.splice(0).map(({ body, archive }) => [archive, body])).toEqual([
    ['a', 'Of a'],
    ['b', 'Of b'],
  ])
  desk.world.mode = 'quiet'
  desk.holdMessages(
    [
      [1, 'success', 'Of a'],
      [2, 'success', 'Later'],
    ],
    'a',
  )
  await desk.collect('a')
  await desk.own('t1 refused')
  await desk.own('t1 refused')
  desk.world.mode = 'on'
  await desk.due()
  expect(desk.shown.map(({ body }) => body)).toEqual(['t1 refused', 'Later'])
})

test('10 000 notifications across sleep, offline, restarts, power cuts, quiet hours and a clock that jumps: each shown once or counted once', async () => {
  using place = scratch()
  using desk = open(place.folder)
  const random = seeded(7)
  const all = 10_000
  await desk.collect()
  let came = 0
  const messages: Message[] = []
  for (let step = 0; came < all; step += 1) {
    // Asleep or offline for a while, a desk then finds many at once; else a few.
    const some = Math.min(
      all - came,
      random() < 0.1 ? Math.floor(random() * 2_000) : Math.floor(random() * 6),
    )
    for (let index = 0; index < some; index += 1)
      messages.unshift([(came += 1), came % 50 === 0 ? 'error' : 'success', `Message ${came}`])
    desk.world.now += (random() - 0.4) * 86_400_000
    desk.world.mode = random() < 0.2 ? 'quiet' : 'on'
    desk.world.isBlocked = random() < 0.1
    if (random() < 0.05) desk.world.diesAt = 'before showing'
    if (some > 0) desk.holdMessages(messages)
    const collecting = desk.collect()
    if (desk.world.diesAt === '') await collecting
    else {
      await Promise.race([collecting, desk.dying()])
      desk.die()
    }
    if (random() < 0.05) desk.die()
  }
  Object.assign(desk.world, { mode: 'on', isBlocked: false })
  await desk.due()
  const counted = desk.shown.reduce(
    (sum, { body }) => sum + (/^(\d+) messages?( may|,|$)/.exec(body) ? Number(/^\d+/.exec(body)?.[0]) : 1),
    0,
  )
  expect(counted).toBe(all)
  const single = desk.shown.map(({ body }) => body).filter((body) => body.startsWith('Message '))
  expect(new Set(single).size).toBe(single.length)
  expect(desk.ledger().due()).toEqual([])
  expect(desk.ledger().unseen('a')).toBe(all)
})

test('an id that an archive gives anew after it was brought back from a backup is that of another message', async () => {
  using place = scratch()
  using desk = open(place.folder)
  desk.holdMessages([[1, 'info', 'Old']])
  await desk.collect()
  const at = (time: string): Message[] => [
    [2, 'info', 'Rounded', false, time],
    [1, 'info', 'Old'],
  ]
  desk.holdMessages(at('2026-01-02T09:00:00.999Z'))
  await desk.collect()
  desk.ledger().seeAll('a', '2026-01-02T10:00:00Z')
  desk.holdMessages(at('2026-01-02T10:00:01+01:00'))
  await desk.collect()
  expect(desk.shown.splice(0).map(({ body }) => body)).toEqual(['Rounded'])
  expect(desk.opened('a')).toEqual([2])

  desk.holdMessages([
    [2, 'error', 'Given anew', false, '2026-01-02T11:00:00Z'],
    [1, 'info', 'Old'],
  ])
  // Nobody at this desk opened that one.
  expect(desk.opened('a')).toEqual([])
  await desk.collect()
  await desk.collect()
  expect(desk.shown.map(({ body }) => body)).toEqual(['Given anew'])
  expect(desk.ledger().unseen('a')).toBe(1)
})

test('what comes while the first look at an archive is noted is new, and told', async () => {
  using place = scratch()
  using desk = open(place.folder)
  const old: Message = [1, 'success', 'Old news']
  desk.holdMessages([old])
  const first = desk.collect()
  desk.holdMessages([[2, 'success', 'Just now'], old])
  await first
  await desk.collect()
  expect(desk.shown.map(({ body }) => body)).toEqual(['Just now'])
})

test('what an earlier version told is not told again', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  // The file as the version wrote it that kept what it told by number.
  const before = openDatabase(file, migrations.slice(0, 3))
  before.exec(`insert into told values ('a', -1), ('a', 1)`)
  before.close()
  using desk = open(place.folder)
  desk.holdMessages([
    [1, 'success', 'Told before'],
    [2, 'success', 'New'],
  ])
  await desk.collect()
  expect(desk.shown.map(({ body }) => body)).toEqual(['New'])
  // Nor does anybody say that it was opened here.
  expect(desk.opened('a')).toEqual([])
})

const everything: MessageContent[] = [
  { says: 'preserved', name: 'Oxen' },
  { says: 'failure', name: 'Task 4 failed' },
  { says: 'news', name: 'several 2 1' },
  { says: 'stopped', name: 'Oxen' },
  { says: 'refused', name: 'Oxen' },
  { says: 'made', name: 'Oxen' },
  { says: 'search', name: 'Ritningar', count: 3 },
  { says: 'several', count: 4, failures: 1 },
  { says: 'missed', count: 1, failures: 0 },
]

test('a message is kept as what happened, and read in the language that is spoken then', async () => {
  using place = scratch()
  using desk = open(place.folder)
  await desk.collect()
  desk.world.mode = 'quiet'
  await desk.tell('t1', { says: 'stopped', name: 'Oxen' })
  await desk.tell('s1', { says: 'search', name: 'Ritningar', count: 3 })
  desk.world.language = 'sv'
  desk.world.mode = 'on'
  await desk.due()
  expect(desk.shown.map(({ title, body }) => [title, body]).sort()).toEqual([
    ['Bevakad sökning', 'Ritningar: 3 nya träffar'],
    ['Väntar på dig', 'Oxen: stannade och går inte vidare av sig själv'],
  ])
  expect(
    desk
      .ledger()
      .unseenOfDesk('a', 9)
      .map(({ content }) => content),
  ).toContainEqual({
    says: 'search',
    name: 'Ritningar',
    count: 3,
  })
  const lines = desk.journal().filter(({ act }) => act === 'notice.shown')
  expect(lines.map((line) => messageInJournal(line.act, line))).toEqual(
    expect.arrayContaining([
      { says: 'stopped', name: 'Oxen' },
      { says: 'search', name: 'Ritningar', count: 3 },
    ]),
  )
})

test.each(everything)('what is told ($says) is kept in columns, and comes back as it was', (content) => {
  const columns = toColumns(content)
  expect(fromColumns(columns)).toEqual(content)
  const act = content.says === 'several' || content.says === 'missed' ? 'notice.digest' : 'notice.shown'
  expect(messageInJournal(act, { name: columns.name, detail: `${columns.code} n1 n2` })).toEqual(content)
  for (const language of ['en', 'sv'] as const)
    expect([messageTitle(content, language), messageText(content, language)]).not.toContain('')
})

test('what an earlier version kept stays in the words that it had', () => {
  const old = fromColumns({ code: 'Behöver dig', name: 'Oxen: stannade' })
  expect([messageTitle(old, 'en'), messageText(old, 'en')]).toEqual(['Behöver dig', 'Oxen: stannade'])
  expect(messageInJournal('notice.shown', { name: 'Preserved: Oxen', detail: 'n12' })).toBe(null)
  expect(messageInJournal('notice.digest', { name: 'Needs you: 4 messages', detail: 'n1 n2' })).toBe(null)
  expect(messageInJournal('list.exported', { name: 'Oxen', detail: 'made 2' })).toBe(null)
})
