import { createHash, randomUUID } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Batch } from '../../../../electron/contract/batch.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { present } from '../../../support/present.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { keptJobs } from '../../../desks/kept-jobs.ts'
import { openWindowless } from '../../../desks/windowless.ts'
import type { Failed } from '../../../../electron/contract/failure.ts'
import { handOver } from '../../../../electron/jobs/kinds/transfer/handover.ts'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import { scripts } from '../../../packages/packing.ts'
import { zipFolder } from '../../../packages/bags.ts'

const place = scratch()
const at = (...names: string[]) => path.join(place.folder, ...names)
let archive: RunningArchive
beforeAll(async () => {
  archive = await startArchive(at('archive'))
})
afterAll(async () => {
  await archive.stop()
  place[Symbol.dispose]()
})

let desks = 0
const openDesk = async () => {
  const answers: { choose: string[] | Promise<string[]>; save: string | undefined } = {
    choose: [],
    save: undefined,
  }
  const desk = openWindowless(at(`desk-${(desks += 1)}`), {
    choose: () => Promise.resolve(answers.choose),
    chooseTarget: () => Promise.resolve(answers.save),
  })
  const { session, connection, transfers, packages } = desk.features
  await session.signIn({ url: archive.url, username: archive.username, password: archive.password })
  await connection.refresh(undefined)
  const one = async (id: string) => transfers.one({ id })
  const draft = async (source: string, name: string) => {
    const { id, form } = await transfers.create(undefined)
    answers.choose = [source]
    await transfers.add({ id, what: 'folder' })
    await transfers.save({ id, form: { ...form, name } })
    return id
  }
  const packed = async (source: string, name: string) => {
    const id = await draft(source, name)
    await transfers.pack({ id })
    await until(async () => ((await one(id)).state === 'prepared' ? true : undefined))
    return id
  }
  const isHeld = async (id: string) => {
    try {
      return (await packages.one({ id })).isPreserved
    } catch {
      return false
    }
  }
  const sent = async (id: string) => {
    const delivery = await transfers.createDelivery({ name: `delivery ${id}` })
    await transfers.save({ id, form: { ...(await one(id)).form, delivery: delivery.id } })
    await transfers.send({ id })
    return until(async () => {
      await connection.refresh(undefined)
      const transfer = await one(id)
      // The event that it is preserved may be read before the package is.
      const isRead = transfer.state === 'preserved' && (await isHeld(present(transfer.package)))
      return isRead ? transfer : undefined
    })
  }
  return { desk, answers, one, draft, packed, sent, ...desk.features }
}

const makeSource = (name: string, files: Record<string, string> = { 'brev.txt': 'Ett brev' }) => {
  mkdirSync(at(name), { recursive: true })
  for (const [file, content] of Object.entries(files)) writeFileSync(at(name, file), content)
  return at(name)
}

test('the package of another desk is nobody else’s, though it came under the same identifier', async () => {
  const [mine, other] = [await openDesk(), await openDesk()]
  const id = await mine.draft(makeSource('senare', { 'b.txt': 'senare' }), 'Senare')
  const delivery = (await mine.transfers.createDelivery({ name: 'Senare' })).id
  // This desk has not read of it when it sends its own.
  const first = await other.sent(await other.packed(makeSource('tidigare'), 'Tidigare'))
  const { identifier } = first.form
  await mine.transfers.save({ id, form: { ...(await mine.one(id)).form, identifier, delivery } })
  await mine.transfers.pack({ id })
  const reached = (state: string) =>
    until(async () => {
      if (state === 'preserved') await mine.connection.refresh(undefined)
      const transfer = await mine.one(id)
      return transfer.state === state ? transfer : undefined
    })
  await reached('prepared')
  await mine.transfers.send({ id })
  const preserved = await reached('preserved')
  expect(preserved.package).not.toBe(first.package)
  expect(preserved.times.preserved).toSatisfy((time: string) => time > (preserved.times.sent ?? ''))
  await mine.desk.stop()
  await other.desk.stop()
})

describe('a receipt', () => {
  test('says that originals may go once every copy is there, with its reasons, and is saved as PDF', async () => {
    const { desk, one, packed, sent, connection, transfers } = await openDesk()
    const id = await packed(makeSource('kvitto'), 'Kvitto')
    expect(await transfers.receipt({ id })).toMatchObject({ mayDelete: false, package: null, copies: [] })
    await sent(id)
    // The event may come before the list of packages does.
    const receipt = await until(async () => {
      await connection.refresh(undefined)
      const it = await transfers.receipt({ id })
      return it.package && it.copies.length > 0 ? it : undefined
    })
    expect(receipt).toMatchObject({
      mayDelete: true,
      deliveryName: `delivery ${id}`,
      package: { identifier: id, generation: 1 },
    })
    expect(await one(id)).toMatchObject({
      generation: 1,
      transport: { by: 'ingest folder', folder: expect.any(String) as unknown },
    })
    expect((await transfers.list({ offset: 0, limit: 1 })).rows).toMatchObject([{ id, generation: 1 }])
    expect(receipt.reasons.map(({ code, isMet }) => [code, isMet])).toEqual([
      ['preserved', true],
      ['copies', true],
      ['all-packed', true],
      ['same-contents', true],
    ])
    expect(receipt.copies).toHaveLength(receipt.wanted ?? -1)
    expect(receipt.transfer.sip?.manifest).toMatch(/^[0-9a-f]{64}$/)
    await desk.stop()
  })
  test('says that they should be kept where something was left out', async () => {
    const { desk, packed, sent, transfers } = await openDesk()
    const source = makeSource('länkar')
    symlinkSync('/etc/passwd', path.join(source, 'länk'))
    const id = await packed(source, 'Länkar')
    await sent(id)
    const { mayDelete, reasons } = await transfers.receipt({ id })
    expect(mayDelete).toBe(false)
    expect(reasons).toContainEqual({ code: 'all-packed', isMet: false, is: 1, of: null })
    const { moments, earlier } = await transfers.history({ id })
    const acts = moments.filter(({ source: by }) => by === 'desk').map(({ what }) => what)
    // Between two looks at the archive it may have gone on by two steps.
    expect(acts.filter((act) => act !== 'transfer.received')).toEqual(
      ['draft', 'packing', 'prepared', 'sending', 'sent', 'preserved'].map((state) => `transfer.${state}`),
    )
    expect(earlier).toBe(0)
    await desk.stop()
  })
})

test('the same content under other names is pointed out, and an identifier that the archive has', async () => {
  const { desk, connection, packed, sent, transfers } = await openDesk()
  const first = await packed(makeSource('ett', { 'a.txt': 'samma', 'b.txt': 'innehåll' }), 'Ett')
  const second = await packed(makeSource('två', { 'x.txt': 'innehåll', 'y.txt': 'samma' }), 'Två')
  const other = await packed(makeSource('tre', { 'a.txt': 'annat', 'b.txt': 'innehåll' }), 'Tre')
  expect(await transfers.duplicates({ id: second })).toMatchObject([
    { kind: 'transfer', id: first, by: 'content' },
  ])
  expect(await transfers.duplicates({ id: other })).toEqual([])
  await sent(first)
  const again = await packed(at('tre'), 'Fyra')
  await transfers.reopen({ id: again })
  const { form } = await transfers.one({ id: again })
  await transfers.save({ id: again, form: { ...form, identifier: first } })
  await transfers.pack({ id: again })
  await until(async () => ((await transfers.one({ id: again })).state === 'prepared' ? true : undefined))
  // That a transfer is preserved is told before the list of packages has been read.
  const duplicates = await until(async () => {
    await connection.refresh(undefined)
    const found = await transfers.duplicates({ id: again })
    return found.some(({ kind }) => kind === 'package') ? found : undefined
  })
  expect(duplicates).toMatchObject([
    { kind: 'transfer', id: other, by: 'content' },
    { kind: 'package', name: 'Ett', by: 'identifier' },
  ])
  await desk.stop()
})

describe('a handover', () => {
  test('brings a transfer and its bag to another desk, which sends it once', async () => {
    const [from, to] = [await openDesk(), await openDesk()]
    const id = await from.packed(makeSource('stick', { 'å.txt': 'å' }), 'På en sticka: å/ä')
    from.answers.choose = [at('usb')]
    expect(await from.transfers.handOver({ id })).toMatchObject({
      state: 'prepared',
      handedOver: expect.any(String) as unknown,
    })
    const [folder] = readdirSync(at('usb'))
    expect(folder).toBe('På en sticka_ å_ä.transfer')
    await expect(async () => from.transfers.send({ id })).rejects.toMatchObject({
      failure: { kind: 'conflict' },
    })
    to.answers.choose = [at('usb', folder ?? '')]
    const taken = await to.transfers.takeOver(undefined)
    expect(taken).toMatchObject({
      id,
      state: 'prepared',
      form: { name: 'På en sticka: å/ä' },
      sip: { counts: { files: 1 } },
    })
    await to.sent(id)
    expect(
      ((await archive.get('transfers/')) as { name: string }[]).filter(({ name }) =>
        name.startsWith('På en sticka'),
      ),
    ).toHaveLength(1)
    // A desk that has it already keeps its own.
    const bag = (await to.one(id)).sip?.path
    expect(bag).toBeDefined()
    await expect(to.transfers.takeOver(undefined)).rejects.toMatchObject({ failure: { kind: 'conflict' } })
    // Opened again where it began, it is asked for in the archive before it is registered.
    from.answers.choose = [at('usb', folder ?? '')]
    expect(await from.transfers.takeOver(undefined)).toMatchObject({ id, handedOver: null })
    await from.desk.stop()
    await to.desk.stop()
  })
  test.each(['while the folder is chosen', 'while it is copied'] as const)(
    'one that is sent %s goes one way only',
    async (when) => {
      const { desk, answers, one, packed, transfers } = await openDesk()
      const id = await packed(makeSource('dubbel'), `Dubbel ${when}`)
      const delivery = await transfers.createDelivery({ name: `delivery ${id}` })
      await transfers.save({ id, form: { ...(await one(id)).form, delivery: delivery.id } })
      const chosen = Promise.withResolvers<string[]>()
      answers.choose = chosen.promise
      const handing = Promise.resolve(transfers.handOver({ id })).then(
        ({ handedOver }) => handedOver !== null,
        (error: unknown) => (error as Failed).failure.kind === 'conflict' && false,
      )
      if (when === 'while it is copied') {
        chosen.resolve([at('usb3')])
        await new Promise((begun) => setImmediate(begun))
      }
      const sending = Promise.resolve()
        .then(() => transfers.send({ id }))
        .then(
          () => true,
          (error: unknown) => (error as Failed).failure.kind === 'conflict' && false,
        )
      const isSent = await sending
      chosen.resolve([at('usb3')])
      expect([isSent, await handing]).toEqual(when === 'while it is copied' ? [false, true] : [true, false])
      const { handedOver, isWaiting, remote } = await one(id)
      expect([handedOver === null, isWaiting || remote !== null]).toEqual([isSent, isSent])
      await desk.stop()
    },
  )
  test('it is noted before the folder has its name, and taken back where that fails', async () => {
    const { desk, answers, one, packed, transfers } = await openDesk()
    const id = await packed(makeSource('misslyckas'), 'Misslyckas')
    mkdirSync(at('usb4'))
    writeFileSync(at('usb4', 'ingen mapp'), '')
    answers.choose = [at('usb4', 'ingen mapp')]
    await expect(async () => transfers.handOver({ id })).rejects.toMatchObject({ failure: { kind: 'disk' } })
    expect(await one(id)).toMatchObject({ handedOver: null })
    const [kept, name] = [desk.archives.last()?.id ?? '', at('usb4', 'Två.transfer')]
    const noted: boolean[] = []
    const store = openDeskStore(at(`desk-${desks}`, 'desk.sqlite'))
    const it = keptJobs(store).transfers(kept)[0] ?? expect.fail('no transfer')
    await handOver({ ...it, form: { ...it.form, name: 'Två' } }, at('usb4'), {
      scripts,
      signal: new AbortController().signal,
      ready: () => void noted.push(existsSync(name)),
    })
    expect([noted, existsSync(name)]).toEqual([[false], true])
    store.close()
    await desk.stop()
  })
  test('it takes a name of which nothing lies there yet, and leaves what does', async () => {
    const { desk, draft, transfers, answers } = await openDesk()
    mkdirSync(at('usb6', 'Namne.transfer'), { recursive: true })
    writeFileSync(at('usb6', 'Namne.transfer', 'brev.txt'), 'Av någon annan')
    // Of another that is copied there just now.
    mkdirSync(at('usb6', 'Namne.transfer.partial'))
    const ids = [await draft(makeSource('namne 1'), 'Namne'), await draft(makeSource('namne 2'), 'Namne')]
    answers.choose = [at('usb6')]
    for (const id of ids) await transfers.handOver({ id })
    const names = ['Namne 2.transfer', 'Namne 3.transfer']
    expect(readdirSync(at('usb6')).sort()).toEqual(
      ['Namne.transfer', 'Namne.transfer.partial', ...names].sort(),
    )
    expect(readFileSync(at('usb6', 'Namne.transfer', 'brev.txt'), 'utf8')).toBe('Av någon annan')
    const other = await openDesk()
    for (const [number, name] of names.entries()) {
      other.answers.choose = [at('usb6', name)]
      expect(await other.transfers.takeOver(undefined)).toMatchObject({ id: ids[number] })
    }
    await desk.stop()
    await other.desk.stop()
  })
  test('a draft that was deleted is found by no call until it is put back', async () => {
    const { desk, draft, one, transfers } = await openDesk()
    const id = await draft(makeSource('borttaget'), 'Borttaget')
    const { form, packing } = await one(id)
    await transfers.remove({ id })
    const gone = { failure: { kind: 'not-found', what: 'Borttaget', isRemoved: true } }
    const calls = [
      () => transfers.one({ id }),
      () => transfers.save({ id, form }),
      () => transfers.arrange({ id, packing }),
      () => transfers.pack({ id }),
      () => transfers.send({ id }),
      () => transfers.sendNow({ id }),
      () => transfers.cancel({ id }),
      () => transfers.createLike({ id }),
      () => transfers.handOver({ id }),
      () => transfers.remove({ id }),
      () => transfers.receipt({ id }),
      () => transfers.duplicates({ id }),
    ]
    for (const call of calls) await expect(async () => call()).rejects.toMatchObject(gone)
    expect(await transfers.restore({ id })).toMatchObject({ id, state: 'draft' })
    // A second time there is nothing to put back, and it stays.
    await transfers.restore({ id })
    expect((await transfers.list({ offset: 0, limit: 50 })).rows).toMatchObject([{ id }])
    const unknown = randomUUID()
    await expect(async () => transfers.one({ id: unknown })).rejects.toMatchObject({
      failure: { kind: 'not-found', what: unknown },
    })
    await desk.stop()
  })
  test('a draft that was handed over, deleted and opened again is in the list again', async () => {
    const { desk, answers, draft, transfers } = await openDesk()
    const id = await draft(makeSource('tillbaka'), 'Tillbaka')
    answers.choose = [at('usb5')]
    await transfers.handOver({ id })
    await transfers.remove({ id })
    answers.choose = [at('usb5', 'Tillbaka.transfer')]
    expect(await transfers.takeOver(undefined)).toMatchObject({ id, handedOver: null })
    expect((await transfers.list({ offset: 0, limit: 50 })).rows).toMatchObject([{ id }])
    // The same at the desk that took it over.
    const other = await openDesk()
    other.answers.choose = answers.choose
    await other.transfers.takeOver(undefined)
    await other.transfers.remove({ id })
    await other.transfers.takeOver(undefined)
    expect((await other.transfers.list({ offset: 0, limit: 50 })).rows).toMatchObject([{ id }])
    await desk.stop()
    await other.desk.stop()
  })
  test('a damaged bag, and a folder that holds none, are refused with a sentence', async () => {
    const { desk, packed, transfers, answers } = await openDesk()
    const id = await packed(makeSource('skadad'), 'Skadad')
    answers.choose = [at('usb2')]
    await transfers.handOver({ id })
    appendFileSync(at('usb2', 'Skadad.transfer', 'bag/data/skadad/brev.txt'), 'x')
    answers.choose = [at('usb2', 'Skadad.transfer')]
    const other = await openDesk()
    other.answers.choose = answers.choose
    await expect(other.transfers.takeOver(undefined)).rejects.toMatchObject({
      failure: { kind: 'bad-package' },
    })
    other.answers.choose = [at('skadad')]
    await expect(other.transfers.takeOver(undefined)).rejects.toMatchObject({
      failure: { kind: 'bad-handover' },
    })
    // A medium that does not give what lies on it says nothing of it.
    symlinkSync('transfer.json', at('skadad', 'transfer.json'))
    await expect(other.transfers.takeOver(undefined)).rejects.toMatchObject({
      failure: { kind: 'disk', path: at('skadad', 'transfer.json') },
    })
    expect(await other.transfers.list({ offset: 0, limit: 50 })).toEqual({ rows: [], lines: 0, of: 0 })
    await desk.stop()
    await other.desk.stop()
  })
})

test('what changed since it was counted is not packed unseen', async () => {
  const { desk, draft, one, transfers } = await openDesk()
  const id = await draft(makeSource('ändrad'), 'Ändrad')
  writeFileSync(at('ändrad', 'ny.txt'), 'ny')
  await transfers.pack({ id })
  const stopped = await until(async () => ((await one(id)).failure === null ? undefined : one(id)))
  expect(stopped).toMatchObject({
    state: 'draft',
    sip: null,
    counts: { files: 2 },
    failure: { kind: 'recounted', before: { files: 1 }, now: { files: 2 } },
  })
  await transfers.pack({ id })
  await until(async () => ((await one(id)).state === 'prepared' ? true : undefined))
  expect((await one(id)).sip?.counts).toMatchObject({ files: 2 })
  await desk.stop()
})

test('a work that was under way goes on when the desk is opened again', async () => {
  const folder = at('avbruten')
  const source = makeSource('stora')
  for (let index = 0; index < 4; index += 1)
    writeFileSync(path.join(source, `${index}.bin`), Buffer.alloc(200_000_000, index))
  const first = openWindowless(folder, { choose: () => Promise.resolve([source]) })
  await first.features.session.signIn({
    url: archive.url,
    username: archive.username,
    password: archive.password,
  })
  const { id, form } = await first.features.transfers.create(undefined)
  await first.features.transfers.add({ id, what: 'folder' })
  await first.features.transfers.save({ id, form: { ...form, name: 'Avbruten' } })
  await first.features.transfers.pack({ id })
  await until(() => (existsSync(path.join(folder, `bags/${id}.partial/data`)) ? true : undefined))
  await first.features.transfers.pause({ id })
  await first.stop()
  const second = openWindowless(folder)
  await second.features.session.signIn({
    url: archive.url,
    username: archive.username,
    password: archive.password,
  })
  expect(await second.features.transfers.one({ id })).toMatchObject({ state: 'packing', isPaused: true })
  await until(async () => {
    try {
      return await second.features.transfers.goOn({ id })
    } catch {
      return undefined
    }
  })
  await until(async () =>
    (await second.features.transfers.one({ id })).state === 'prepared' ? true : undefined,
  )
  expect(readdirSync(path.join(folder, 'bags'))).toEqual([id])
  await second.stop()
})

describe('a batch', () => {
  const write = (name: string, text: string) => {
    mkdirSync(at('arv'), { recursive: true })
    for (const album of ['Album 1', 'Album 2', 'Brev']) makeSource(`arv/${album}`, { 'a.txt': album })
    writeFileSync(at('arv', name), text)
    return at('arv', name)
  }
  const opened = async (
    desk: Awaited<ReturnType<typeof openDesk>>,
    file: string,
    what: 'table' | 'batch-folder' = 'table',
  ): Promise<Batch> => {
    desk.answers.choose = [file]
    const it = await desk.batch.open({ what })
    if (!it) throw new Error('It was not opened.')
    return it
  }

  test('reads a table, says what is wrong with which row, packs the others, and then only those that are left', async () => {
    const desk = await openDesk()
    const table = write(
      'lista.csv',
      'Titel;Mapp;Kontakt;E-post\nEtt;Album 1;Ann;ann@example.org\n"Två; och mer";Album ' +
        '2;Bo;bo@\n\n;;;\n;Brev;;\nSaknas;Album 9;;\n=1+1;Brev;;\n',
    )
    const it = await opened(desk, table)
    expect(it.mapping).toMatchObject({ name: 0, source: 1, person: 2, email: 3, delivery: null })
    expect(it.rows.map(({ line, name, troubles }) => [line, name, troubles])).toEqual([
      [2, 'Ett', []],
      [3, 'Två; och mer', ['email']],
      // Two empty lines are no rows, and count all the same.
      [6, 'Brev', ['source-twice']],
      [7, 'Saknas', ['source-gone']],
      [8, '=1+1', ['source-twice']],
    ])
    expect((await desk.batch.count({ id: it.id })).rows[0]).toMatchObject({
      counted: { files: 1, folders: 1, bytes: 7, skipped: 0 },
      transfer: null,
    })
    expect((await desk.batch.run({ id: it.id, send: false })).rows.map(({ state }) => state)).toEqual([
      'prepared',
      null,
      null,
      null,
      null,
    ])
    const [first] = (await desk.batch.one({ id: it.id, offset: 0 })).rows
    expect(await desk.one(first?.transfer ?? '')).toMatchObject({
      form: { name: 'Ett', person: 'Ann', email: 'ann@example.org' },
      sip: { counts: { files: 1 } },
    })
    // The column that was wrong is taken out, so its row is right; what is packed stays as it is.
    await desk.batch.map({ id: it.id, mapping: { ...it.mapping, email: null } })
    const again = await desk.batch.run({ id: it.id, send: false })
    expect(again.rows.map(({ state }) => state)).toEqual(['prepared', 'prepared', null, null, null])
    expect(again.rows[0]?.transfer).toBe(first?.transfer)
    desk.answers.save = at('rapport.csv')
    await desk.batch.save({ id: it.id })
    const report = readFileSync(at('rapport.csv'), 'utf8').trimEnd().split('\n')
    expect(report).toHaveLength(6)
    expect(report[5]).toMatch(/^8,'=1\+1,/)
    await desk.desk.stop()
  })
  test('what is not there is told apart from what is no file, and from what the system lets nobody see', async () => {
    const desk = await openDesk()
    const table = write('källor.csv', 'source,name\ngone,Ett\nlink,Två\nloop/Brev,Tre\nBrev/a.txt/b,Fyra\n')
    symlinkSync('Brev', at('arv', 'link'))
    // A way that never ends is an error of the system, for root as well (ELOOP).
    symlinkSync('loop', at('arv', 'loop'))
    const { rows } = await opened(desk, table)
    expect(rows.map(({ troubles }) => troubles)).toEqual([
      ['source-gone'],
      ['source-no-file'],
      ['source-unseen'],
      ['source-gone'],
    ])
    for (const made of ['link', 'loop']) rmSync(at('arv', made))
    await desk.desk.stop()
  })
  test('one that fails does not hold up the others, and is packed when it is right', async () => {
    const desk = await openDesk()
    const it = await opened(desk, write('fel.csv', 'source,name\nAlbum 1,Ett\nBrev,Brev\n'))
    const broken = Buffer.concat([Buffer.from(`${at('arv/Album 1')}/`), Buffer.from([0xff])])
    writeFileSync(broken, 'x')
    expect((await desk.batch.run({ id: it.id, send: false })).rows).toMatchObject([
      { state: 'draft', failure: { kind: 'source', trouble: 'no-text' } },
      { state: 'prepared' },
    ])
    rmSync(broken)
    expect((await desk.batch.run({ id: it.id, send: false })).rows).toMatchObject([
      { state: 'prepared', failure: null },
      { state: 'prepared' },
    ])
    await desk.desk.stop()
  })
  test('what a person deleted of it is not made again', async () => {
    const desk = await openDesk()
    const it = await opened(desk, write('bort.csv', 'source,name\nAlbum 1,Ett\nBrev,Brev\n'))
    const broken = Buffer.concat([Buffer.from(`${at('arv/Album 1')}/`), Buffer.from([0xff])])
    writeFileSync(broken, 'x')
    const [first] = (await desk.batch.run({ id: it.id, send: false })).rows
    await desk.transfers.remove({ id: first?.transfer ?? '' })
    rmSync(broken)
    expect((await desk.batch.run({ id: it.id, send: false })).rows).toMatchObject([
      { transfer: null, state: null },
      { state: 'prepared' },
    ])
    expect(await desk.transfers.restore({ id: first?.transfer ?? '' })).toMatchObject({ state: 'draft' })
    await desk.desk.stop()
  })
  test('an empty cell says nothing: no sender is taken from the row before', async () => {
    const desk = await openDesk()
    const table = write(
      'avsändare.csv',
      'source,name,organization,address,person,email\n' +
        'Album 1,Ett,Säters församling,Kyrkvägen 1,Ann Präst,ann@sater.example\n' +
        'Album 2,Två,Hamnkontoret,,,\nBrev,Tre,,,,\n',
    )
    const it = await opened(desk, table)
    const done = await desk.batch.run({ id: it.id, send: false })
    const formOf = async (index: number) => {
      const { form } = await desk.one(done.rows[index]?.transfer ?? '')
      return [form.organization, form.address, form.person, form.email]
    }
    expect(await formOf(0)).toEqual(['Säters församling', 'Kyrkvägen 1', 'Ann Präst', 'ann@sater.example'])
    expect(await formOf(1)).toEqual(['Hamnkontoret', '', '', ''])
    expect(await formOf(2)).toEqual(['', '', '', ''])
    await desk.desk.stop()
  })
  test('what a person corrected in the draft of a row is packed so', async () => {
    const desk = await openDesk()
    const it = await opened(desk, write('rättad.csv', 'source,name\nAlbum 1,Ett\nBrev,Brev\n'))
    const broken = Buffer.concat([Buffer.from(`${at('arv/Album 1')}/`), Buffer.from([0xff])])
    writeFileSync(broken, 'x')
    const [first] = (await desk.batch.run({ id: it.id, send: false })).rows
    const id = first?.transfer ?? ''
    await desk.transfers.save({
      id,
      form: { ...(await desk.one(id)).form, name: 'Rättad för hand', description: 'Tio minuters arbete' },
    })
    rmSync(broken)
    await desk.batch.run({ id: it.id, send: false })
    expect(await desk.one(id)).toMatchObject({
      state: 'prepared',
      form: { name: 'Rättad för hand', description: 'Tio minuters arbete' },
    })
    await desk.desk.stop()
  })
  test('a row that lacks something says so, is counted as such, and holds up no other', async () => {
    const desk = await openDesk()
    mkdirSync(at('arv/Tom'), { recursive: true })
    const it = await opened(desk, write('brist.csv', 'source,name\nTom,Tom\nAlbum 1,Ett\nBrev,Brev\n'))
    const done = await desk.batch.run({ id: it.id, send: false })
    expect(done.rows).toMatchObject([
      { state: 'draft', failure: { kind: 'not-ready', missing: ['contents'] } },
      { state: 'prepared', failure: null },
      { state: 'prepared', failure: null },
    ])
    expect(done.counts).toEqual({ ready: 0, troubled: 1, done: 2 })
    // What a person deletes is none of its rows any more.
    await desk.transfers.remove({ id: done.rows[0]?.transfer ?? '' })
    expect((await desk.batch.one({ id: it.id, offset: 0 })).counts).toEqual({
      ready: 0,
      troubled: 0,
      done: 2,
    })
    rmSync(at('arv/Tom'), { recursive: true })
    await desk.desk.stop()
  })
  test('it is being worked at from the first moment: it can be stopped while its rows are judged', async () => {
    const desk = await openDesk()
    const lines = Array.from({ length: 5_000 }, (_, line) => `,Rad ${line}`)
    const it = await opened(desk, write('stoppad.csv', ['source,name', ...lines, 'Brev,Brev'].join('\n')))
    const run = desk.batch.run({ id: it.id, send: false })
    expect((await desk.batch.stop({ id: it.id })).work).toMatchObject({ kind: 'packing' })
    const done = await run
    expect(done.work).toBeNull()
    expect(done.counts.done).toBe(0)
    await desk.desk.stop()
  })
  test('a folder of folders, with a template, is sent as it is packed', async () => {
    const desk = await openDesk()
    write('lista.txt', 'x')
    const like = await desk.draft(at('arv/Brev'), 'Mall')
    const delivery = await desk.transfers.createDelivery({ name: 'Dödsbo' })
    await desk.transfers.save({
      id: like,
      form: { ...(await desk.one(like)).form, organization: 'Ölands arkiv', delivery: delivery.id },
    })
    await desk.transfers.arrange({ id: like, packing: { form: 'tar', algorithm: 'sha512', isPolite: false } })
    const { id } = await opened(desk, at('arv'), 'batch-folder')
    await desk.batch.template({ id, transfer: like })
    const done = await desk.batch.run({ id, send: true })
    expect(done.rows.map(({ name }) => name)).toEqual(['Album 1', 'Album 2', 'Brev'])
    const transfer = done.rows[0]?.transfer ?? ''
    expect(await desk.one(transfer)).toMatchObject({
      form: { organization: 'Ölands arkiv', name: 'Album 1' },
      packing: { form: 'tar', algorithm: 'sha512' },
    })
    await until(async () => {
      await desk.connection.refresh(undefined)
      return (await desk.batch.one({ id, offset: 0 })).rows.every(({ state }) => state === 'preserved')
        ? true
        : undefined
    })
    await desk.desk.stop()
  })
  test('one of many rows is shown page by page, and all of them are counted', async () => {
    const desk = await openDesk()
    const lines = Array.from({ length: 730 }, (_, line) => (line === 720 ? 'Brev,Rad 720' : `,Rad ${line}`))
    const it = await opened(desk, write('manga.csv', ['source,name', ...lines].join('\n')))
    const page = async (offset: number) => {
      const { rows, ...batch } = await desk.batch.one({ id: it.id, offset })
      return [batch.offset, rows.length, rows[0]?.name, rows.at(-1)?.line]
    }
    expect(await page(0)).toEqual([0, 100, 'Rad 0', 101])
    expect(await page(700)).toEqual([700, 30, 'Rad 700', 731])
    expect([it.total, it.counts]).toEqual([730, { ready: 1, troubled: 729, done: 0 }])
    const { counts, rows } = await desk.batch.run({ id: it.id, send: false })
    expect([counts, rows.length]).toEqual([{ ready: 0, troubled: 729, done: 1 }, 100])
    desk.answers.save = at('manga-rapport.csv')
    await desk.batch.save({ id: it.id })
    expect(readFileSync(at('manga-rapport.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(731)
    await desk.desk.stop()
  })
  test('a spreadsheet is read, and what is no table is refused with a sentence', async () => {
    const desk = await openDesk()
    write('x.csv', 'x')
    mkdirSync(at('xlsx/xl/worksheets'), { recursive: true })
    mkdirSync(at('xlsx/_rels'))
    mkdirSync(at('xlsx/xl/_rels'))
    const parts = {
      '[Content_Types].xml':
        '<?xml version="1.0"?><Types ' +
        'xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default ' +
        'Extension="xml" ContentType="application/xml"/><Default Extension="rels" ' +
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override ' +
        'PartName="/xl/workbook.xml" ' +
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>' +
        '<Override PartName="/xl/worksheets/sheet1.xml" ' +
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
      '_rels/.rels':
        '<?xml version="1.0"?><Relationships ' +
        'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" ' +
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" ' +
        'Target="xl/workbook.xml"/></Relationships>',
      'xl/workbook.xml':
        '<?xml version="1.0"?><workbook ' +
        'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ' +
        'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet ' +
        'name="Blad1" sheetId="1" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<?xml version="1.0"?><Relationships ' +
        'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" ' +
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" ' +
        'Target="worksheets/sheet1.xml"/></Relationships>',
      'xl/worksheets/sheet1.xml':
        '<?xml version="1.0"?><worksheet ' +
        'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c ' +
        'r="A1" t="inlineStr"><is><t>Source</t></is></c><c r="B1" ' +
        't="inlineStr"><is><t>Name</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>Album ' +
        '1</t></is></c><c r="B2"><v>1923</v></c></row></sheetData></worksheet>',
    }
    for (const [name, text] of Object.entries(parts)) writeFileSync(at('xlsx', name), text)
    await zipFolder(at('xlsx'), at('arv/lista.xlsx'))
    expect((await opened(desk, at('arv/lista.xlsx'))).rows).toMatchObject([
      { line: 2, name: '1923', source: at('arv/Album 1'), troubles: [] },
    ])
    for (const [name, text] of [
      ['a.xlsx', 'no zip'],
      ['b.csv', ''],
      ['c.csv', 'a,b\n"unfinished'],
    ] as const) {
      writeFileSync(at('arv', name), text)
      await expect(opened(desk, at('arv', name))).rejects.toMatchObject({ failure: { kind: 'bad-table' } })
    }
    writeFileSync(at('xlsx/xl/media.xml'), Buffer.alloc(257 * 1024 * 1024))
    await zipFolder(at('xlsx'), at('arv/stor.xlsx'))
    await expect(opened(desk, at('arv/stor.xlsx'))).rejects.toMatchObject({
      failure: { kind: 'bad-table', detail: expect.stringContaining('when it is unpacked') as string },
    })
    // What cannot be read is no bad table.
    await expect(opened(desk, at('arv/gone.csv'))).rejects.toMatchObject({
      failure: { kind: 'disk', trouble: 'gone', path: at('arv/gone.csv') },
    })
    await desk.desk.stop()
  })
})

test('what is dropped is checked: a bag for being valid, a file against the package that is open', async () => {
  const { desk, packed, sent, checks, answers } = await openDesk()
  const id = await packed(makeSource('släppt'), 'Släppt')
  const bag = (await desk.features.transfers.one({ id })).sip?.path ?? ''
  desk.drop([bag], '#/desk', '')
  const done = async () =>
    until(async () => {
      const [first] = await checks.list(undefined)
      return first && first.state !== 'working' ? first : undefined
    })
  expect(await done()).toMatchObject({ state: 'done', report: { state: 'valid' } })
  // What cannot be read as a package says why, and is a file all the same.
  await zipFolder(path.dirname(bag), at('halv.zip'))
  truncateSync(at('halv.zip'), 1_000)
  desk.drop([at('halv.zip')], '#/desk', '')
  expect(await done()).toMatchObject({
    report: { state: 'not-a-package', findings: [{ code: 'archive-cut' }] },
    digests: [{ algorithm: 'sha256' }],
  })
  writeFileSync(at('brev.txt'), 'brev')
  desk.drop([at('brev.txt')], '#/desk', '')
  expect(await done()).toMatchObject({ report: null, digests: [{ algorithm: 'sha256' }] })
  desk.drop([bag], '#/desk', '')
  answers.save = at('fynd.csv')
  await checks.save({ id: (await done()).id })
  expect(readFileSync(at('fynd.csv'), 'utf8')).toMatch(
    /^level,code,file,line,detail,sentence\nsummary,valid,/,
  )
  const preserved = await sent(id)
  // The archive's own copy of the package has the digest that the archive says.
  const copy =
    execFileSync('find', [at('archive'), '-name', `${preserved.package ?? ''}.tar`], {
      encoding: 'utf8',
    }).split('\n')[0] ?? ''
  writeFileSync(at('annan.txt'), 'annat')
  const open = present(preserved.package)
  // Beside a list that is narrowed it is open as well.
  desk.drop([at('annan.txt')], `#/packages/${open}?state=Preserved`, desk.archives.last()?.id ?? '')
  expect(await done()).toMatchObject({
    package: { label: 'Släppt' },
    comparisons: [
      { of: 'package', isMatch: false, found: createHash('sha256').update('annat').digest('hex') },
      { of: 'content-mets' },
      { of: 'package-mets' },
    ],
  })
  desk.drop([copy], `#/reader/${open}?path=content`, desk.archives.last()?.id ?? '')
  const whole = await done()
  expect(whole.package).toMatchObject({ label: 'Släppt' })
  expect(whole.report?.state === 'valid' || whole.comparisons.some(({ isMatch }) => isMatch)).toBe(true)
  // What somebody typed or cut short names no package.
  desk.drop([at('annan.txt')], '#/packages/50%', desk.archives.last()?.id ?? '')
  expect(await done()).toMatchObject({ path: at('annan.txt'), package: null })
  await desk.stop()
})
