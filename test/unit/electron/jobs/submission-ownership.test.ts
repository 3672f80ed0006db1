import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Failed } from '../../../../electron/contract/failure.ts'
import type { ArchiveClient } from '../../../../electron/dialects/dialect.ts'
import { submission } from '../../../../electron/dialects/essarch/submissions.ts'
import { reopened } from '../../../../electron/jobs/kinds/transfer/draft.ts'
import { present } from '../../../support/present.ts'
import { failureOf } from '../../../packages/packing.ts'
import {
  startEssarch,
  stopEssarch,
  clientOf,
  openDesk,
  heldOf,
  listing,
  openWholeDesk,
} from '../../../desks/submissions.ts'

beforeAll(startEssarch)
afterAll(stopEssarch)

test('a package of somebody else under a typed identifier is never ours', async () => {
  const archive = clientOf('reader')
  const theirs = openDesk(archive, 'Deras')
  await theirs.submit()
  const desk = openDesk(archive)
  const { form } = desk.kept()
  // An attempt whose answer was lost, and one that made a package that is gone since.
  desk.change({
    form: { ...form, identifier: theirs.id, name: 'Vår' },
    sending: 'submitting',
    state: 'prepared',
  })
  await expect(desk.submit()).rejects.toMatchObject({ failure: { kind: 'conflict' } })
  desk.change({ state: 'sent', remote: crypto.randomUUID() })
  await expect(desk.finish()).rejects.toMatchObject({ failure: { kind: 'conflict' } })
  expect((await heldOf(archive, theirs))[0]?.state).toBe('Submitted')
})

/** A client of an archive whose connection breaks at some addresses before anything arrives. */
const breakingAt = (archive: ArchiveClient, addresses: RegExp): ArchiveClient => {
  const broken = () =>
    Promise.reject(new Failed({ kind: 'offline', address: archive.url, detail: 'ECONNRESET' }))
  return Object.assign({}, archive, {
    post: (address: string, ...given: [unknown, number?]) =>
      addresses.test(address) ? broken() : archive.post(address, ...given),
    patch: (address: string, body: unknown) =>
      addresses.test(address) ? broken() : archive.patch(address, body),
  })
}

const creating = /^information-packages\/$/

const agreeing = /^information-packages\/[^/]+\/$/

test('a package of the same name and identifier that another account made is never ours', async () => {
  const archive = clientOf('reader')
  const theirs = openDesk(archive)
  theirs.change({ form: { ...theirs.kept().form, identifier: 'delivery-7' } })
  await expect(theirs.submit(breakingAt(archive, agreeing))).rejects.toThrow(Failed)
  const producer = clientOf('producer')
  const desk = openDesk(producer)
  // An attempt that never arrived, though its answer seemed lost.
  const lost = { sending: 'submitting', state: 'prepared' } as const
  desk.change({ form: { ...desk.kept().form, identifier: 'delivery-7' }, ...lost })
  await expect(desk.submit()).rejects.toMatchObject({ failure: { kind: 'conflict', detail: 'identifier' } })
  theirs.change({ ...lost, remote: null })
  expect(await theirs.submit()).toMatchObject({ state: 'sent' })
})

test('a package of the same name, identifier and account that another desk works at is never ours', async () => {
  const archive = clientOf('reader')
  const theirs = openDesk(archive)
  const desk = openDesk(archive)
  for (const one of [theirs, desk]) one.change({ form: { ...one.kept().form, identifier: 'delivery-12' } })
  await expect(desk.submit(breakingAt(archive, creating))).rejects.toThrow(Failed)
  await expect(theirs.submit(breakingAt(archive, /create/))).rejects.toThrow(Failed)
  await expect(desk.submit()).rejects.toMatchObject({ failure: { kind: 'conflict', detail: 'identifier' } })
  await theirs.submit()
  expect(await theirs.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test('a package that another desk made while ours was lost is not taken over, nor removed', async () => {
  const archive = clientOf('reader')
  const theirs = openDesk(archive, 'Deras')
  const desk = openDesk(archive)
  for (const one of [theirs, desk]) one.change({ form: { ...one.kept().form, identifier: 'delivery-8' } })
  desk.change({ sending: 'submitting', state: 'prepared' })
  const late: ArchiveClient = Object.assign({}, archive, {
    post: async (address: string, body: unknown, answerMs?: number) => {
      if (address === 'information-packages/') await theirs.submit()
      return archive.post(address, body, answerMs)
    },
  })
  await expect(desk.submit(late)).rejects.toThrow(Failed)
  expect(desk.kept()).toMatchObject({ remote: null, sending: null })
  expect(await theirs.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test('a package that this account does not see now is gone on with when it does', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  const stopping: ArchiveClient = Object.assign({}, archive, {
    post: (address: string, body: unknown, answerMs?: number) =>
      address.endsWith('/prepare/')
        ? Promise.reject(new Failed({ kind: 'offline', address: archive.url, detail: 'ECONNRESET' }))
        : archive.post(address, body, answerMs),
  })
  await expect(desk.submit(stopping)).rejects.toThrow(Failed)
  const { remote } = desk.kept()
  const blind = listing(archive, (address, rows) => (address.startsWith('information-packages') ? [] : rows))
  await expect(desk.submit(blind)).rejects.toMatchObject({ failure: { kind: 'conflict', detail: 'unseen' } })
  expect(desk.kept()).toMatchObject({ sending: 'submitting', remote })
  expect(await desk.submit()).toMatchObject({ state: 'sent', remote })
})

test('a package that the archive shows only after minutes is still ours, under a typed identifier too', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const archive = clientOf('reader')
    const desk = openDesk(archive)
    const identifier = 'delivery-14'
    desk.change({ form: { ...desk.kept().form, identifier } })
    desk.goBy({
      clock: () => new Date(),
      wait: async () => {
        await pass(1)
        vi.advanceTimersByTime(5_000)
      },
    })
    const blind = listing(archive, () => [])
    await expect(desk.submit(blind)).rejects.toMatchObject({ failure: { detail: 'too-slow' } })
    const failure = { kind: 'conflict', detail: 'unseen' } as const
    expect(await failureOf(desk.submit(blind))).toEqual(failure)
    // A person may send it again, or give it another identifier.
    desk.change({ state: 'prepared', failure })
    const { transfers, close } = openWholeDesk(archive)
    expect(transfers.constraintsOf(desk.kept())).toEqual(['opened'])
    await close()
    expect(await desk.submit()).toMatchObject({ state: 'sent' })
    expect(await heldOf(archive, { id: identifier })).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})

test('an identifier that somebody else has used is said before anything is made', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  desk.change({ form: { ...desk.kept().form, identifier: 'delivery-9' } })
  await submission.create(archive, { identifier: 'delivery-9', label: 'Another' })
  await expect(desk.submit()).rejects.toMatchObject({ failure: { kind: 'conflict', detail: 'identifier' } })
  expect(desk.kept().sending).toBeNull()
})

/** A client of an archive that writes identifiers another way. */
const rewriting = (archive: ArchiveClient, rewritten: (identifier: string) => string): ArchiveClient =>
  Object.assign({}, archive, {
    post: (address: string, body: unknown, answerMs?: number) => {
      if (address !== 'information-packages/') return archive.post(address, body, answerMs)
      const { object_identifier_value: identifier, ...others } = body as { object_identifier_value: string }
      return archive.post(address, { ...others, object_identifier_value: rewritten(identifier) }, answerMs)
    },
  })

test.each([
  ['in small letters', (identifier: string) => identifier.toLowerCase(), 'Vattenledningen'],
  [
    'without its dots',
    (identifier: string) => identifier.replaceAll('.', ''),
    '"Ritningar", delar, 1921–1932',
  ],
])(
  'an archive that keeps an identifier %s is said to do so, and is asked for one package',
  async (_, rewritten, name) => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const archive = clientOf('reader')
      let creations = 0
      const changing = rewriting(archive, (identifier) => {
        creations += 1
        return rewritten(identifier)
      })
      const desk = openDesk(archive)
      const identifier = `SE.${desk.id}`
      desk.change({ form: { ...desk.kept().form, identifier, name } })
      desk.goBy({
        clock: () => new Date(),
        wait: async () => {
          await pass(1)
          vi.advanceTimersByTime(5_000)
        },
      })
      const changed = { kind: 'conflict', detail: 'identifier changed' }
      expect(await failureOf(desk.submit(changing))).toEqual(changed)
      const [made] = await heldOf(archive, { id: rewritten(identifier) })
      expect(desk.kept()).toMatchObject({ sending: 'submitting', remote: present(made).id })
      expect(await failureOf(desk.submit(changing))).toEqual(changed)
      expect(creations).toBe(1)

      // With another identifier what was made makes way.
      const { sip } = desk.kept()
      const draft = reopened(desk.kept(), true)
      const form = { ...draft.form, identifier: desk.id }
      desk.change({ ...draft, sip, state: 'prepared', form })
      expect(await desk.submit()).toMatchObject({ state: 'sent' })
      while ((await heldOf(archive, { id: rewritten(identifier) })).length > 0) await pass(5)
    } finally {
      vi.useRealTimers()
    }
  },
)

test('another package under an identifier much like a typed one is never taken for ours', async () => {
  const archive = clientOf('reader')
  const theirs = openDesk(archive)
  const desk = openDesk(archive)
  theirs.change({ form: { ...theirs.kept().form, identifier: 'delivery-11' } })
  desk.change({ form: { ...desk.kept().form, identifier: 'Delivery_11' } })
  await theirs.submit()
  const cut: ArchiveClient = Object.assign({}, archive, {
    post: () => Promise.reject(new Failed({ kind: 'offline', address: archive.url, detail: 'ECONNRESET' })),
  })
  await expect(desk.submit(cut)).rejects.toThrow(Failed)
  expect(desk.kept()).toMatchObject({ sending: 'submitting', remote: null })
  expect(await desk.submit()).toMatchObject({ state: 'sent' })
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
  expect(await theirs.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test('words of an identifier that are divided otherwise are those of another', async () => {
  const archive = clientOf('reader')
  const theirs = openDesk(archive)
  const desk = openDesk(archive)
  theirs.change({ form: { ...theirs.kept().form, identifier: 'SE.11.1' } })
  desk.change({ form: { ...desk.kept().form, identifier: 'SE.1.11' } })
  await expect(desk.submit(breakingAt(archive, creating))).rejects.toThrow(Failed)
  await expect(theirs.submit(breakingAt(archive, agreeing))).rejects.toThrow(Failed)
  expect(await desk.submit()).toMatchObject({ state: 'sent' })
  expect(await theirs.submit()).toMatchObject({ state: 'sent' })
})

test('a package under a like identifier that somebody goes on with is not removed for another one', async () => {
  const archive = clientOf('reader')
  const theirs = openDesk(archive)
  const desk = openDesk(archive)
  theirs.change({ form: { ...theirs.kept().form, identifier: 'SE111' } })
  desk.change({ form: { ...desk.kept().form, identifier: 'SE.111' } })
  await expect(desk.submit(breakingAt(archive, creating))).rejects.toThrow(Failed)
  await expect(theirs.submit(breakingAt(archive, agreeing))).rejects.toThrow(Failed)
  await expect(desk.submit()).rejects.toMatchObject({ failure: { detail: 'identifier changed' } })
  await expect(theirs.submit(breakingAt(archive, /create/))).rejects.toThrow(Failed)
  const { remote } = theirs.kept()
  const { sip } = desk.kept()
  const draft = reopened(desk.kept(), true)
  desk.change({ ...draft, sip, state: 'prepared', form: { ...draft.form, identifier: desk.id } })
  expect(await desk.submit()).toMatchObject({ state: 'sent' })
  expect(await theirs.submit()).toMatchObject({ state: 'sent', remote })
  expect(await theirs.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test('a list that lacks a package for a moment says nothing of its identifier', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  desk.change({ form: { ...desk.kept().form, identifier: 'delivery-13' } })
  await expect(desk.submit(breakingAt(archive, /prepare/))).rejects.toThrow(Failed)
  const { remote } = desk.kept()
  let looks = 0
  const late = listing(archive, (address, rows) => {
    if (address.includes('object_identifier_value')) looks += 1
    return looks <= 2 && address.includes('object_identifier_value') ? [] : rows
  })
  expect(await desk.submit(late)).toMatchObject({ state: 'sent', remote })
})
