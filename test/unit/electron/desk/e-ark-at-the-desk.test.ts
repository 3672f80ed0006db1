import { execFileSync, spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PackingSettings } from '../../../../electron/contract/transfers.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { builtFile } from '../../../support/built.ts'
import { eArkFiles, writeFolder } from '../../../packages/e-ark.ts'
import { openWindowless } from '../../../desks/windowless.ts'

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

const eArk: PackingSettings = {
  format: 'e-ark-sip',
  version: '2.2.0',
  form: 'tar',
  algorithm: 'sha256',
  isPolite: false,
}

let desks = 0
const openDesk = async () => {
  const answers = { choose: [] as string[] }
  const { stop, features } = openWindowless(at(`desk-${(desks += 1)}`), {
    choose: () => Promise.resolve(answers.choose),
  })
  await features.session.signIn({
    url: archive.url,
    username: archive.username,
    password: archive.password,
  })
  await features.connection.refresh(undefined)
  const { transfers } = features
  const draft = async (source: string, name: string, description = '') => {
    const { id, form } = await transfers.create(undefined)
    answers.choose = [source]
    await transfers.add({ id, what: 'folder' })
    await transfers.arrange({ id, packing: eArk })
    await transfers.save({
      id,
      form: { ...form, name, description, organization: 'Hamnkontoret', tags: { TYPE: 'Mixed' } },
    })
    return id
  }
  const packed = async (source: string, name: string, description = '') => {
    const id = await draft(source, name, description)
    await transfers.pack({ id })
    await until(async () => ((await transfers.one({ id })).state === 'prepared' ? true : undefined))
    return id
  }
  /** A check of a package, once that is over. */
  const checked = async (file: string) => {
    answers.choose = [file]
    const [begun] = await features.checks.choose({ what: 'files' })
    const one = async () => (await features.checks.list(undefined)).find(({ id }) => id === begun?.id)
    await until(async () => ((await one())?.state === 'working' ? undefined : true))
    return { id: begun?.id ?? '', one }
  }
  return { stop, answers, draft, packed, checked, ...features }
}

const makeSource = (name: string) => {
  mkdirSync(at(name), { recursive: true })
  writeFileSync(at(name, 'brev.txt'), name)
  return at(name)
}

/** A file of a package in a tar, by its path below the root folder. */
const fileIn = (tar: string, below: string) => {
  const names = execFileSync('tar', ['-tf', tar], { encoding: 'utf8' }).split('\n')
  const name = names.find((known) => known.replace(/^[^/]*/, '') === below) ?? expect.fail(`no ${below}`)
  return execFileSync('tar', ['-xOf', tar, name], { encoding: 'utf8' })
}

test('a table of an agency becomes E-ARK packages that say what its columns said', async () => {
  const { stop, answers, draft, batch, transfers, connection } = await openDesk()
  const like = await draft(makeSource('mall'), 'Mall')
  for (const name of ['Protokoll', 'Ritningar', 'Brev']) makeSource(`avdelning/${name}`)
  writeFileSync(
    at('avdelning', 'lista.csv'),
    'Namn;Mapp;Arkivbildare;Ämne;Innehållskategori;Referenskod;Hylla\n' +
      'Protokoll 1920;Protokoll;Hamnstyrelsen;Hamnar & fyrar;Datasets;H/1;4\n' +
      'Ritningar;Ritningar;;;;;\n' +
      'Brev;Brev;;;Brev;;\n',
  )
  answers.choose = [at('avdelning', 'lista.csv')]
  const opened = (await batch.open({ what: 'table' })) ?? expect.fail('It was not opened.')
  const { id, mapping } = await batch.template({ id: opened.id, transfer: like })
  expect(mapping).toMatchObject({
    name: 0,
    source: 1,
    tags: { 'ARCHIVIST ORGANIZATION': 2, 'dc:subject': 3, TYPE: 4, REFERENCECODE: 5, 'dc:date': null },
  })
  const done = await batch.run({ id, send: true })
  expect(done.packing).toEqual(eArk)
  expect(done.rows.map(({ troubles }) => troubles)).toEqual([[], [], ['not-in-vocabulary']])
  expect(done.rows[2]?.unknownValues).toEqual([{ label: 'TYPE', value: 'Brev' }])
  const [first, second] = done.rows.map(({ transfer }) => transfer ?? '')
  const sip = async (transfer = '') => (await transfers.one({ id: transfer })).sip?.path ?? ''
  const mets = fileIn(await sip(first), '/METS.xml')
  expect(mets).toContain('TYPE="Datasets"')
  expect(mets).toContain('H/1')
  expect(mets).toContain('Hamnstyrelsen')
  expect(fileIn(await sip(first), '/metadata/descriptive/dc.xml')).toContain('Hamnar &amp; fyrar')
  // What a row leaves open the template says.
  expect(fileIn(await sip(second), '/METS.xml')).toContain('TYPE="Mixed"')

  // A person may choose another column, or none; what was chosen stays when the template is chosen anew.
  await batch.map({ id, mapping: { ...mapping, tags: { ...mapping.tags, TYPE: null } } })
  const again = await batch.template({ id, transfer: like })
  expect(again.mapping.tags['TYPE']).toBeNull()
  expect(again.rows[2]?.troubles).toEqual([])
  await expect(async () =>
    batch.map({ id, mapping: { ...mapping, tags: { TYPE: 7 } } }),
  ).rejects.toMatchObject({
    failure: { kind: 'not-found', what: 'column' },
  })
  await connection.refresh(undefined)
  await stop()
})

test('without a template all rows are packed as the last transfer was, with what their columns say', async () => {
  const { stop, answers, draft, batch, transfers } = await openDesk()
  const last = await draft(makeSource('sist'), 'Sist')
  writeFileSync(
    at('profil.json'),
    JSON.stringify({
      'BagIt-Profile-Info': {
        'BagIt-Profile-Identifier': 'https://example.org/p.json',
        'Source-Organization': 'x',
        'External-Description': 'Profil',
        Version: '1',
      },
      'Bag-Info': { 'Record-Type': { required: true, values: ['Brev', 'Kartor'] } },
    }),
  )
  await transfers.arrange({ id: last, packing: { form: 'tar', algorithm: 'sha256', isPolite: false } })
  answers.choose = [at('gone.json')]
  await expect(async () => transfers.chooseProfile({ id: last })).rejects.toMatchObject({
    failure: { kind: 'disk', trouble: 'gone', path: at('gone.json') },
  })
  answers.choose = [at('profil.json')]
  await transfers.chooseProfile({ id: last })
  for (const name of ['ett', 'två', 'tre']) makeSource(`rader/${name}`)
  writeFileSync(at('rader', 'lista.csv'), 'Mapp;Record-Type\nett;Brev\ntvå;Kartor\ntre;Brev\n')
  answers.choose = [at('rader', 'lista.csv')]
  const { id } = (await batch.open({ what: 'table' })) ?? expect.fail('It was not opened.')
  const { rows } = await batch.run({ id, send: false })
  const one = async (id: string) => transfers.one({ id })
  const made = await Promise.all(rows.map(({ transfer }) => one(transfer ?? '')))
  expect(made.map(({ state, form }) => [state, form.tags])).toEqual([
    ['prepared', { 'Record-Type': 'Brev' }],
    ['prepared', { 'Record-Type': 'Kartor' }],
    ['prepared', { 'Record-Type': 'Brev' }],
  ])
  await stop()
})

test('an E-ARK package is sent, preserved, and its receipt says that originals may go', async () => {
  const { stop, draft, transfers, packages, connection } = await openDesk()
  const id = await draft(makeSource('kvitto'), 'Kvitto')
  const tags = { 'ARCHIVIST ORGANIZATION': 'Vattenverket', 'dc:date': '1921/1932' }
  await transfers.save({ id, form: { ...(await transfers.one({ id })).form, tags } })
  await transfers.pack({ id })
  await until(async () => ((await transfers.one({ id })).state === 'prepared' ? true : undefined))
  const delivery = await transfers.createDelivery({ name: `delivery ${id}` })
  await transfers.save({ id, form: { ...(await transfers.one({ id })).form, delivery: delivery.id } })
  await transfers.send({ id })
  const receipt = await until(async () => {
    await connection.refresh(undefined)
    const known = await transfers.receipt({ id })
    return known.package && known.copies.length > 0 ? known : undefined
  })
  expect(receipt).toMatchObject({ mayDelete: true, package: { identifier: id, generation: 1 } })
  expect(receipt.reasons.map(({ code, isMet }) => [code, isMet])).toEqual([
    ['preserved', true],
    ['copies', true],
    ['all-packed', true],
    ['same-contents', true],
  ])
  expect(receipt.transfer.sip?.manifest).toMatch(/^[0-9a-f]{64}$/)
  // Whose archive it is of, and from when, the archive has from its METS and Dublin Core.
  const { package: preserved } = await packages.one({ id: receipt.package?.id ?? '' })
  expect(preserved).toMatchObject({ started: '1921-01-01', ended: '1932-12-31' })
  expect(preserved.agents).toContainEqual(expect.objectContaining({ name: 'Vattenverket' }))
  await stop()
})

test.each(['folder', 'zip'] as const)(
  'an E-ARK package as %s is handed over and preserved under its identifier',
  async (form) => {
    const [from, to] = [await openDesk(), await openDesk()]
    const id = await from.draft(makeSource(`som ${form}`), `Som ${form}`)
    await from.transfers.arrange({ id, packing: { ...eArk, form } })
    await from.transfers.pack({ id })
    const prepared = await until(async () => {
      const known = await from.transfers.one({ id })
      return known.state === 'prepared' ? known : undefined
    })
    expect(prepared.sip).toMatchObject({ form, path: expect.stringContaining(id) as string })
    from.answers.choose = [at('stickor')]
    await from.transfers.handOver({ id })
    to.answers.choose = [at('stickor', `Som ${form}.transfer`)]
    const taken = (await to.transfers.takeOver(undefined)) ?? expect.fail('nothing was taken over')
    expect(taken).toMatchObject({ id, state: 'prepared', sip: { form } })
    const { one } = await to.checked(taken.sip?.path ?? '')
    expect((await one())?.report).toMatchObject({ state: 'valid', warnings: 0, format: 'e-ark-sip' })
    const delivery = await to.transfers.createDelivery({ name: `delivery ${id}` })
    await to.transfers.save({ id, form: { ...taken.form, delivery: delivery.id } })
    await to.transfers.send({ id })
    const receipt = await until(async () => {
      await to.connection.refresh(undefined)
      const known = await to.transfers.receipt({ id })
      return known.package && known.copies.length > 0 ? known : undefined
    })
    expect(receipt).toMatchObject({ mayDelete: true, package: { identifier: id, generation: 1 } })
    await from.stop()
    await to.stop()
  },
)

test('under an identifier that somebody typed an E-ARK package is packed as one file', async () => {
  const { stop, draft, transfers } = await openDesk()
  const id = await draft(makeSource('egen'), 'Egen')
  await transfers.arrange({ id, packing: { ...eArk, form: 'folder' } })
  const { form } = await transfers.one({ id })
  await transfers.save({ id, form: { ...form, identifier: 'SE-2026-1' } })
  await transfers.pack({ id })
  const { sip } = await until(async () => {
    const known = await transfers.one({ id })
    return known.state === 'prepared' ? known : undefined
  })
  expect(sip?.form).toBe('tar')
  expect(execFileSync('tar', ['-tf', sip?.path ?? ''], { encoding: 'utf8' })).toMatch(/^SE-2026-1\//)
  await stop()
})

test('a file that somebody gives describes the package; what is none is refused', async () => {
  const { stop, answers, draft, transfers } = await openDesk()
  const id = await draft(makeSource('beskriven'), 'Beskriven')
  writeFileSync(at('not.xml'), 'ead')
  answers.choose = [at('not.xml')]
  await expect(transfers.chooseDescriptive({ id })).rejects.toMatchObject({
    failure: { kind: 'bad-descriptive', path: at('not.xml'), detail: 'no-xml' },
  })
  const text = '<ead xmlns="http://ead3.archivists.org/schema/"/>'
  writeFileSync(at('ead.xml'), text)
  answers.choose = [at('ead.xml')]
  expect(await transfers.chooseDescriptive({ id })).toMatchObject({ descriptive: at('ead.xml') })
  // It describes this package alone.
  expect(await transfers.createLike({ id })).toMatchObject({ descriptive: null })
  const pack = async () => {
    // Work that ends is over a moment after its state says so.
    await until(async () => ((await transfers.pack({ id })).state === 'packing' ? true : undefined))
    return until(async () => {
      const { state, failure, sip } = await transfers.one({ id })
      return state === 'packing' ? undefined : { state, failure, sip }
    })
  }
  // What is gone when it is packed is said, and the draft is as it was.
  rmSync(at('ead.xml'))
  expect(await pack()).toMatchObject({ state: 'draft', failure: { kind: 'disk', path: at('ead.xml') } })
  writeFileSync(at('ead.xml'), text)
  const { state, sip } = await pack()
  expect(state).toBe('prepared')
  expect(fileIn(sip?.path ?? '', '/metadata/descriptive/ead.xml')).toBe(text)
  expect(fileIn(sip?.path ?? '', '/METS.xml')).toContain('MDTYPE="EAD"')
  await stop()
})

test('a handover brings an E-ARK package to another desk, and a damaged one is refused', async () => {
  const [from, to] = [await openDesk(), await openDesk()]
  const id = await from.packed(makeSource('sticka'), 'Sticka')
  from.answers.choose = [at('usb')]
  await from.transfers.handOver({ id })
  to.answers.choose = [at('usb', 'Sticka.transfer')]
  expect(await to.transfers.takeOver(undefined)).toMatchObject({
    id,
    state: 'prepared',
    packing: eArk,
    form: { name: 'Sticka', tags: { TYPE: 'Mixed' } },
    sip: { form: 'tar', counts: { files: 1 } },
  })
  const damaged = await from.packed(makeSource('skadad'), 'Skadad')
  from.answers.choose = [at('usb')]
  await from.transfers.handOver({ id: damaged })
  const [tar] = readdirSync(at('usb', 'Skadad.transfer')).filter((name) => name.endsWith('.tar'))
  appendFileSync(at('usb', 'Skadad.transfer', tar ?? ''), Buffer.alloc(512, 1))
  to.answers.choose = [at('usb', 'Skadad.transfer')]
  await expect(to.transfers.takeOver(undefined)).rejects.toMatchObject({ failure: { kind: 'bad-package' } })
  await from.stop()
  await to.stop()
})

test('a draft that is handed over brings the file that describes it', async () => {
  const [from, to] = [await openDesk(), await openDesk()]
  const id = await from.draft(makeSource('utkast'), 'Utkast')
  const text = '<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>Å</title></titleInfo></mods>'
  writeFileSync(at('post å.xml'), text)
  from.answers.choose = [at('post å.xml')]
  await from.transfers.chooseDescriptive({ id })
  from.answers.choose = [at('stick')]
  await from.transfers.handOver({ id })
  to.answers.choose = [at('stick', 'Utkast.transfer')]
  const taken = await to.transfers.takeOver(undefined)
  expect(taken).toMatchObject({
    id,
    state: 'draft',
    descriptive: expect.stringMatching(/post å\.xml$/) as string,
  })
  // The stick is taken out.
  rmSync(at('stick'), { recursive: true })
  to.answers.choose = [makeSource('här')]
  await to.transfers.add({ id, what: 'folder' })
  await to.transfers.pack({ id })
  const { sip } = await until(async () => {
    const packed = await to.transfers.one({ id })
    return packed.state === 'prepared' ? packed : undefined
  })
  expect(fileIn(sip?.path ?? '', '/metadata/descriptive/post å.xml')).toBe(text)

  // What is gone is said, and the draft is this desk's own as before.
  rmSync(at('post å.xml'))
  const back = await from.draft(makeSource('kvar'), 'Kvar')
  writeFileSync(at('gone.xml'), text)
  from.answers.choose = [at('gone.xml')]
  await from.transfers.chooseDescriptive({ id: back })
  rmSync(at('gone.xml'))
  from.answers.choose = [at('stick')]
  await expect(from.transfers.handOver({ id: back })).rejects.toMatchObject({
    failure: { kind: 'disk', path: at('gone.xml') },
  })
  expect(await from.transfers.one({ id: back })).toMatchObject({ handedOver: null })

  await from.stop()
  await to.stop()
})

test.skipIf(process.platform === 'win32')(
  'a file that describes a draft is handed over whatever it is called',
  async () => {
    const [from, to] = [await openDesk(), await openDesk()]
    const text = '<ead xmlns="http://ead3.archivists.org/schema/"/>'
    for (const [number, [name, there]] of [
      ['gård\\ritning.xml', 'gård-ritning.xml'],
      ['1921:3?.xml', '1921-3-.xml'],
      ['con.xml', 'con-.xml'],
      [`${'å'.repeat(125)}.xml`, `${'å'.repeat(98)}.xml`],
    ].entries()) {
      const called = `Namn ${number}`
      const id = await from.draft(makeSource(called), called)
      writeFileSync(at(name ?? ''), text)
      from.answers.choose = [at(name ?? '')]
      await from.transfers.chooseDescriptive({ id })
      from.answers.choose = [at('namngivna')]
      await from.transfers.handOver({ id })
      to.answers.choose = [at('namngivna', `${called}.transfer`)]
      const taken = (await to.transfers.takeOver(undefined)) ?? expect.fail('nothing was taken over')
      expect(path.basename(taken.descriptive ?? '')).toBe(there)
      expect(readFileSync(taken.descriptive ?? '', 'utf8')).toBe(text)
    }
    await from.stop()
    await to.stop()
  },
)

type Desk = Awaited<ReturnType<typeof openDesk>>

/** Hands a transfer over to a stick, as soon as that is allowed. */
const toStick = async (desk: Desk, id: string) => {
  // The archive was asked whether it has it.
  await desk.connection.refresh(undefined)
  const { transfers } = desk
  await until(async () => ((await transfers.one({ id })).constraints.length === 0 ? true : undefined))
  const stick = at(randomUUID())
  desk.answers.choose = [stick]
  await transfers.handOver({ id })
  return path.join(stick, readdirSync(stick)[0] ?? '')
}
const fromStick = async (desk: Desk, folder: string) => {
  desk.answers.choose = [folder]
  return (await desk.transfers.takeOver(undefined)) ?? expect.fail('nothing was taken over')
}

test('a draft that went on at another desk comes back as it is now', async () => {
  const [from, to] = [await openDesk(), await openDesk()]
  const id = await from.draft(makeSource('vandrar'), 'Vandrar')
  const carry = async (one: Desk, other: Desk) => fromStick(other, await toStick(one, id))
  const { form } = await carry(from, to)
  await to.transfers.save({ id, form: { ...form, name: 'Vandrat', description: 'Av Bo' } })
  writeFileSync(at('vandrat.xml'), '<ead xmlns="http://ead3.archivists.org/schema/"/>')
  to.answers.choose = [at('vandrat.xml')]
  await to.transfers.chooseDescriptive({ id })
  // What lies at each desk stays there.
  const { sources, counts } = await from.transfers.one({ id })
  const back = await carry(to, from)
  expect(back).toMatchObject({
    state: 'draft',
    handedOver: null,
    sources,
    counts,
    form: { name: 'Vandrat', description: 'Av Bo' },
    descriptive: expect.stringMatching(/vandrat\.xml$/) as string,
  })

  // What described it is taken away at the other desk.
  await carry(from, to)
  await to.transfers.dropDescriptive({ id })
  expect((await carry(to, from)).descriptive).toBeNull()

  // It is packed at the other desk, of what lies there.
  await carry(from, to)
  to.answers.choose = [makeSource('där')]
  await to.transfers.add({ id, what: 'folder' })
  await to.transfers.pack({ id })
  await until(async () => ((await to.transfers.one({ id })).state === 'prepared' ? true : undefined))
  const packed = await carry(to, from)
  expect(packed).toMatchObject({ state: 'prepared', handedOver: null, sources: [], sip: { form: 'tar' } })
  const { one } = await from.checked(packed.sip?.path ?? '')
  expect((await one())?.report).toMatchObject({ state: 'valid', format: 'e-ark-sip' })
  const names = execFileSync('tar', ['-tf', packed.sip?.path ?? ''], { encoding: 'utf8' })
  expect(names).toMatch(/\/data\/(där|d\\303\\244r)\/brev\.txt/)
  await from.stop()
  await to.stop()
})

test.each(['tar', 'folder'] as const)(
  'a %s that was packed anew at another desk comes back so, and takes the place of the first',
  async (form) => {
    const [from, to] = [await openDesk(), await openDesk()]
    const packages = () =>
      readdirSync(at(`desk-${desks - 1}`, 'bags')).filter((name) => !name.includes('.disc'))
    const id = await from.draft(makeSource(`förra ${form}`), 'Förra')
    await from.transfers.arrange({ id, packing: { ...eArk, form } })
    const pack = async (desk: Desk) => {
      await desk.transfers.pack({ id })
      await until(async () => ((await desk.transfers.one({ id })).state === 'prepared' ? true : undefined))
    }
    await pack(from)
    // What was not touched there is this desk's own again.
    const own = await from.transfers.one({ id })
    await fromStick(to, await toStick(from, id))
    const { sip, sources } = await fromStick(from, await toStick(to, id))
    expect({ sip, sources }).toEqual({ sip: own.sip, sources: own.sources })

    const stick = await toStick(from, id)
    const { form: words } = await fromStick(to, stick)
    await to.connection.refresh(undefined)
    await until(async () => ((await to.transfers.one({ id })).constraints.length === 0 ? true : undefined))
    await to.transfers.reopen({ id })
    await to.transfers.save({ id, form: { ...words, description: 'Packad av Bo' } })
    to.answers.choose = [makeSource(`nya ${form}`)]
    await to.transfers.add({ id, what: 'folder' })
    await pack(to)
    const made = (await to.transfers.one({ id })).sip
    const anew = await toStick(to, id)

    // A package that is damaged on the way costs this desk nothing.
    cpSync(anew, at(`skadad ${form}`), { recursive: true })
    const damaged = form === 'tar' ? 'bag.tar' : path.join('bag', 'METS.xml')
    appendFileSync(at(`skadad ${form}`, damaged), 'x'.repeat(512))
    await expect(fromStick(from, at(`skadad ${form}`))).rejects.toMatchObject({
      failure: { kind: 'bad-package' },
    })
    const kept = await from.checked(own.sip?.path ?? '')
    expect((await kept.one())?.report).toMatchObject({ state: 'valid' })

    const back = await fromStick(from, anew)
    expect(back).toMatchObject({
      state: 'prepared',
      handedOver: null,
      sources: [],
      form: { description: 'Packad av Bo' },
      sip: { manifest: made?.manifest, content: made?.content },
    })
    const { one } = await from.checked(back.sip?.path ?? '')
    expect((await one())?.report).toMatchObject({ state: 'valid' })
    expect(packages()).toEqual([path.basename(back.sip?.path ?? '')])

    // It is made a draft there, and comes back as that.
    await fromStick(to, await toStick(from, id))
    await to.connection.refresh(undefined)
    await until(async () => ((await to.transfers.one({ id })).constraints.length === 0 ? true : undefined))
    await to.transfers.reopen({ id })
    const draft = await fromStick(from, await toStick(to, id))
    expect(draft).toMatchObject({ state: 'draft', handedOver: null, sip: null })
    expect(packages()).toEqual([])
    await from.stop()
    await to.stop()
  },
)

test('a draft that comes back without its descriptive file has none', async () => {
  const [from, to] = [await openDesk(), await openDesk()]
  const id = await from.draft(makeSource('utan'), 'Utan')
  writeFileSync(at('utan.xml'), '<ead xmlns="http://ead3.archivists.org/schema/"/>')
  from.answers.choose = [at('utan.xml')]
  await from.transfers.chooseDescriptive({ id })
  const taken = await fromStick(to, await toStick(from, id))
  expect(taken.descriptive).not.toBeNull()
  await to.transfers.dropDescriptive({ id })
  const stick = await toStick(to, id)
  expect(await fromStick(from, stick)).toMatchObject({ state: 'draft', descriptive: null })

  // Earlier versions said nothing of it.
  from.answers.choose = [at('utan.xml')]
  await from.transfers.chooseDescriptive({ id })
  await toStick(from, id)
  const file = path.join(stick, 'transfer.json')
  const { descriptive, ...said } = JSON.parse(readFileSync(file, 'utf8')) as { descriptive: null }
  expect(descriptive).toBeNull()
  writeFileSync(file, JSON.stringify(said))
  expect(await fromStick(from, stick)).toMatchObject({ descriptive: at('utan.xml') })
  await from.stop()
  await to.stop()
})

test('a start sweeps files that describe drafts of which nothing is known, and no others', async () => {
  const [from, to] = [await openDesk(), await openDesk()]
  const folder = at(`desk-${desks}`, 'bags')
  const id = await from.draft(makeSource('svept'), 'Svept')
  writeFileSync(at('svept.xml'), '<ead xmlns="http://ead3.archivists.org/schema/"/>')
  from.answers.choose = [at('svept.xml')]
  await from.transfers.chooseDescriptive({ id })
  from.answers.choose = [at('svepta')]
  await from.transfers.handOver({ id })
  await from.stop()
  to.answers.choose = [at('svepta', 'Svept.transfer')]
  await to.transfers.takeOver(undefined)
  await to.stop()
  const name = `${id}.descriptive`
  const another = `${randomUUID()}.descriptive`
  for (const left of [another, 'brev.descriptive']) mkdirSync(path.join(folder, left))
  const again = async () => {
    // The same desk.
    desks -= 1
    return openDesk()
  }
  const second = await again()
  await until(() => (existsSync(path.join(folder, another)) ? undefined : true))
  expect(readdirSync(folder).sort()).toEqual([name, 'brev.descriptive'].sort())
  // A start looks at what was under way.
  const one = () => second.transfers.one({ id })
  await until(async () => ((await one()).constraints.includes('running') ? undefined : true))
  await second.transfers.remove({ id })
  await second.stop()
  mkdirSync(path.join(folder, another))
  const third = await again()
  await until(() => (existsSync(path.join(folder, another)) ? undefined : true))
  // It can be put back.
  expect(readdirSync(folder).sort()).toEqual([name, 'brev.descriptive'].sort())
  await third.stop()
})

test('what a killed desk left is out of the way before anything is taken over', async () => {
  const { stop } = await openDesk()
  await stop()
  const folder = at(`desk-${desks}`, 'bags')
  const id = randomUUID()
  mkdirSync(path.join(folder, `${id}.descriptive`), { recursive: true })
  for (const left of ['', '.partial', '.work']) mkdirSync(path.join(folder, `${id}.unfinished${left}`))
  let seen: string[] | undefined
  const again = openWindowless(at(`desk-${desks}`), {
    choose: () => {
      seen = readdirSync(folder).filter((name) => !name.includes('.discarded-'))
      return Promise.resolve([])
    },
  })
  expect(await again.features.transfers.takeOver(undefined)).toBeNull()
  expect(seen).toEqual([])
  await again.stop()
})

test('a handover that names a file elsewhere to describe its package brings none', async () => {
  const [from, to] = [await openDesk(), await openDesk()]
  const id = await from.draft(makeSource('fälla'), 'Falla')
  writeFileSync(at('secret.xml'), '<ead xmlns="http://ead3.archivists.org/schema/"/>')
  from.answers.choose = [at('secret.xml')]
  await from.transfers.chooseDescriptive({ id })
  from.answers.choose = [at('trap')]
  await from.transfers.handOver({ id })
  to.answers.choose = [at('trap', 'Falla.transfer')]
  const file = at('trap', 'Falla.transfer', 'transfer.json')
  const said = JSON.parse(readFileSync(file, 'utf8')) as object
  for (const descriptive of ['../secret.xml', '..\\secret.xml', '..', '.', '']) {
    writeFileSync(file, JSON.stringify({ ...said, descriptive }))
    await expect(to.transfers.takeOver(undefined)).rejects.toMatchObject({
      failure: { kind: 'bad-handover' },
    })
  }
  writeFileSync(file, JSON.stringify(said))
  const described = at('trap', 'Falla.transfer', 'descriptive.xml')
  rmSync(described)
  symlinkSync(at('secret.xml'), described)
  await expect(to.transfers.takeOver(undefined)).rejects.toMatchObject({
    failure: { kind: 'disk', path: described },
  })
  expect((await to.transfers.list({ offset: 0, limit: 10 })).of).toBe(0)
  await from.stop()
  await to.stop()
})

test('a copy that a killed desk left is removed at the next start, and nothing else', async () => {
  const { stop, packed, transfers } = await openDesk()
  const id = await packed(makeSource('kopierad'), 'Kopierad')
  const { sip } = await transfers.one({ id })
  await stop()
  const next = at(`desk-${desks + 1}`, 'bags')
  mkdirSync(next, { recursive: true })
  const code = (file: string) =>
    JSON.stringify(new URL(`../../../../electron/packaging/${file}`, import.meta.url).href)
  /** Copies the package in a process of its own, which is killed while it does, or before it is checked. */
  const killed = async (when: 'copying' | 'checking') => {
    const copy = path.join(next, `${randomUUID()}.tar`)
    const script = `import { copyPackage } from ${code('packages.ts')}
      import { packagingScripts } from ${code('scripts.ts')}
      const { pack, check } = packagingScripts(${JSON.stringify(builtFile('main.js').href)})
      const die = () => process.kill(process.pid, 'SIGKILL')
      const scripts = { pack, get check() { return ${when === 'checking' ? 'die()' : 'check'} } }
      const onPlan = () => ${when === 'copying' ? 'die()' : 'undefined'}
      const { signal } = new AbortController()
      await copyPackage(${JSON.stringify(sip?.path)}, ${JSON.stringify(copy)}, { scripts, signal, onPlan })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
    expect(await new Promise((done) => child.once('exit', (_code, by) => done(by)))).toBe('SIGKILL')
    expect(existsSync(copy)).toBe(false)
  }
  await killed('copying')
  await killed('checking')
  const left = readdirSync(next)
  expect(left.some((name) => name.endsWith('.unfinished.tar'))).toBe(true)
  expect(left.some((name) => name.endsWith('.unfinished.tar.work'))).toBe(true)
  const foreign = [
    `${randomUUID()}.tar`,
    `${randomUUID()}.tar.partial`,
    'brev.unfinished.tar',
    `${randomUUID()}.unfinished.tar.gz`,
  ]
  for (const name of foreign) writeFileSync(path.join(next, name), '')
  const again = await openDesk()
  await until(() => (readdirSync(next).length === foreign.length ? true : undefined))
  expect(readdirSync(next).sort()).toEqual([...foreign].sort())
  await again.stop()
})

test('what is longer than a form holds is marked as cut there, and stands whole in the package', async () => {
  const { stop, checked, transfers } = await openDesk()
  const name = `Kyrkböcker ${'från Västra Vingåker '.repeat(30)}`.trim()
  mkdirSync(at('lång', 'data'), { recursive: true })
  writeFileSync(at('lång', 'bagit.txt'), 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n')
  writeFileSync(at('lång', 'bag-info.txt'), `External-Description: ${name}\nNote: ${'𝄞'.repeat(1_500)}\n`)
  writeFileSync(at('lång', 'manifest-sha256.txt'), '')
  const { id: check } = await checked(at('lång'))
  const { form, sip } = (await transfers.sendOn({ check })) ?? expect.fail('It was stopped.')
  expect(form.name).toBe(`${name.slice(0, 254)}…`)
  // No sign is cut in two.
  expect(form.tags['Note']).toBe(`${'𝄞'.repeat(999)}…`)
  expect(readFileSync(path.join(sip?.path ?? '', 'bag-info.txt'), 'utf8')).toContain(name)
  await stop()
})

test('a package that was made elsewhere is sent on as it is, with what it says of itself in the form', async () => {
  const maker = await openDesk()
  const made = await maker.packed(makeSource('annorstans'), 'Ritningar från annan ort', 'Av Eva')
  const { sip, form } = await maker.transfers.one({ id: made })
  cpSync(sip?.path ?? '', at('leverans.tar'))
  await maker.stop()

  const { stop, checked, transfers } = await openDesk()
  const { id: check, one } = await checked(at('leverans.tar'))
  const sent = (await transfers.sendOn({ check })) ?? expect.fail('It was stopped.')
  expect(readdirSync(path.dirname(sent.sip?.path ?? ''))).toEqual([`${sent.id}.tar`])
  expect(sent).toMatchObject({
    state: 'prepared',
    sources: [],
    counts: { files: 1 },
    packing: { format: 'e-ark-sip', version: '2.2.0', form: 'tar', algorithm: 'sha256' },
    form: {
      name: 'Ritningar från annan ort',
      description: 'Av Eva',
      identifier: form.identifier,
      organization: 'Hamnkontoret',
      tags: { TYPE: 'Mixed' },
    },
  })
  expect(sent.id).not.toBe(made)
  const copy = sent.sip?.path ?? ''
  expect(readFileSync(copy).equals(readFileSync(at('leverans.tar')))).toBe(true)
  expect(await one()).toMatchObject({ state: 'done', sentOn: sent.id })
  // Nothing is asked of what the package says, and the copy is not given up for a draft without contents.
  expect(sent.constraints).toContain('made elsewhere')
  await expect(transfers.reopen({ id: sent.id })).rejects.toMatchObject({ failure: { kind: 'conflict' } })

  // What was changed since it was checked is no transfer, and leaves nothing.
  const before = readdirSync(path.dirname(copy))
  const tar = readFileSync(at('leverans.tar'))
  tar.write('ANNORSTANS', tar.indexOf('annorstans\0'))
  writeFileSync(at('leverans.tar'), tar)
  await expect(transfers.sendOn({ check })).rejects.toMatchObject({ failure: { kind: 'bad-package' } })
  await until(() => (readdirSync(path.dirname(copy)).length === before.length ? true : undefined))
  expect((await transfers.list({ offset: 0, limit: 10 })).of).toBe(1)

  const { id: damaged } = await checked(at('leverans.tar'))
  await expect(transfers.sendOn({ check: damaged })).rejects.toMatchObject({
    failure: { kind: 'conflict', detail: 'invalid' },
  })
  await stop()
})

test('an E-ARK package that is a folder is not sent on: it would be kept under another name', async () => {
  writeFolder(at('SE-7'), eArkFiles({ identifier: 'SE-7' }))
  const { stop, checked, transfers } = await openDesk()
  const { id: check, one } = await checked(at('SE-7'))
  expect((await one())?.report).toMatchObject({ state: 'valid', form: 'folder' })
  await expect(transfers.sendOn({ check })).rejects.toMatchObject({
    failure: { kind: 'conflict', detail: 'folder' },
  })
  await stop()
})

test('a bag of another program is sent on and preserved under the identifier that it has', async () => {
  mkdirSync(at('bag', 'data'), { recursive: true })
  const files = {
    'bagit.txt': 'BagIt-Version: 0.97\nTag-File-Character-Encoding: UTF-8\n',
    'bag-info.txt':
      'External-Identifier: SE/LA/1\nExternal-Description: Kyrkböcker\nContact-Email: Anna\nHylla: 4\n',
    'manifest-md5.txt': `${createHash('md5').update('Ett brev').digest('hex')}  data/brev.txt\n`,
    'data/brev.txt': 'Ett brev',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(at('bag', name), text)
  const { stop, checked, transfers, connection } = await openDesk()
  const { id: check } = await checked(at('bag'))
  const { id, form } = (await transfers.sendOn({ check })) ?? expect.fail('It was stopped.')
  // What is no e-mail address stands in the package all the same, and stops nobody.
  expect(form).toMatchObject({
    name: 'Kyrkböcker',
    identifier: 'SE/LA/1',
    email: 'Anna',
    tags: { Hylla: '4' },
  })
  const delivery = await transfers.createDelivery({ name: `delivery ${id}` })
  await transfers.save({ id, form: { ...form, delivery: delivery.id } })
  await transfers.send({ id })
  const receipt = await until(async () => {
    await connection.refresh(undefined)
    const known = await transfers.receipt({ id })
    return known.package && known.copies.length > 0 ? known : undefined
  })
  expect(receipt.package).toMatchObject({ identifier: 'SE/LA/1', label: 'Kyrkböcker', generation: 1 })
  expect(receipt.copies).toHaveLength(3)
  expect(readFileSync(at('bag', 'bag-info.txt'), 'utf8')).toBe(files['bag-info.txt'])
  await stop()
})
