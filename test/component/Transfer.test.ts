import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Transfer } from '../../electron/contract/transfers.ts'
import { setLanguage } from '../../renderer/language/say.svelte.ts'
import Arrange from '../../renderer/pages/transfers/Arrange.svelte'
import Refusable from '../../renderer/pages/transfers/Refusable.svelte'
import Receipt from '../../renderer/pages/transfers/Receipt.svelte'
import TransferPage from '../../renderer/pages/transfers/TransferPage.svelte'
import { announcement } from '../../renderer/state/announce.svelte.ts'
import { go, place } from '../../renderer/state/place.svelte.ts'
import { fieldName } from '../../renderer/pages/transfers/profile-fields.ts'
import { capabilities } from '../../renderer/state/capabilities.svelte.ts'
import { someCapabilities } from '../archives/capabilities.ts'
import { someTransfer } from './some-transfer.ts'

// The page's door is there before any page is.
const bridge = vi.hoisted(() => {
  const news = () => () => undefined
  const told: Record<string, (news: unknown, archive: string) => void> = {}
  const newsOf = (name: string) => {
    const listeners = new Set<(news: unknown, archive: string) => void>()
    told[name] = (news, archive) => listeners.forEach((hear) => hear(news, archive))
    return (hear: (news: unknown, archive: string) => void) => {
      listeners.add(hear)
      return () => listeners.delete(hear)
    }
  }
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const [one, pack, save, takeOver, receipt] = [vi.fn(), vi.fn(), vi.fn(), vi.fn(), vi.fn()]
  const [obstacles, duplicates, recount, makes] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()]
  const [agreementFields, agreements] = [vi.fn(), vi.fn()]
  const [history, createLike] = [vi.fn(), vi.fn()]
  const transfers = {
    one,
    history,
    createLike,
    pack,
    save,
    takeOver,
    receipt,
    obstacles,
    duplicates,
    recount,
    changed: newsOf('changed'),
    progress: newsOf('progress'),
    deliveries: value([]),
    agreements,
    agreementFields,
    agreementMakesRepresentations: makes,
  }
  const archive = {
    transfers,
    capabilities: { changed: news },
    packages: { changed: news },
    description: { changed: news },
  }
  Object.assign(window, { bridge: { application: {}, archive } })
  return { told, ...transfers }
})
const { told } = bridge
const { one, history, createLike, pack, save, takeOver, receipt, obstacles, duplicates, recount } = bridge
const { agreementFields, agreements, agreementMakesRepresentations: makes } = bridge

const creator = {
  key: 'k',
  label: 'Archival creator',
  hint: '',
  isRequired: false,
  usual: '',
  choices: [],
}

beforeEach(() => {
  vi.resetAllMocks()
  capabilities.now = null
  agreements.mockResolvedValue({ value: [{ id: 'a', name: 'Drawings' }] })
  agreementFields.mockResolvedValue({ value: [creator] })
  obstacles.mockResolvedValue({ value: { away: [], holding: [], shortage: null } })
  duplicates.mockResolvedValue({ value: [] })
  makes.mockResolvedValue({ value: false })
  history.mockResolvedValue({ value: { moments: [], earlier: 0 } })
})

const open = async (change: Partial<Transfer>) => {
  one.mockResolvedValue({ value: { ...someTransfer, ...change } })
  render(TransferPage, { id: someTransfer.id })
  await screen.findByRole('heading', { level: 1 })
}
const sectionOf = (heading: HTMLElement) => {
  const section = heading.closest('section')
  if (!section) throw new Error('A heading stands alone.')
  return section
}
const button = (name: string) => screen.getByRole('button', { name })

test('a draft that another desk has is not packed here; it can be taken back', async () => {
  await open({ handedOver: '2026-11-23T16:43:00.000Z', constraints: ['handed over'] })
  await fireEvent.click(button('Pack'))
  expect([button('Pack').title, pack.mock.calls]).toEqual([
    expect.stringMatching(/^Copied for another desk/),
    [],
  ])
  expect(screen.queryByText(/Pack it when it is complete/)).toBeNull()
  expect(screen.queryByLabelText('Name')).toBeNull()
  expect(sectionOf(screen.getByRole('heading', { name: 'What is said of it' })).textContent).toContain('Oxen')
  takeOver.mockResolvedValue({ value: null })
  await fireEvent.click(button('Take it back'))
  expect(takeOver).toHaveBeenCalledOnce()
})

test('what is left of a transfer in a reception folder is said, with the folder', async () => {
  await open({ state: 'preserved', leftIn: '/mnt/reception' })
  expect(screen.getByText(/left in the reception folder \/mnt\/reception/)).toBeTruthy()
})

test('what could not be saved is not packed as it was before', async () => {
  await open({ form: { ...someTransfer.form, identifier: 'oxen-4' } })
  save.mockResolvedValue({ failure: { kind: 'disk', trouble: 'full', path: '' } })
  pack.mockResolvedValue({ value: someTransfer })
  await fireEvent.input(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'Another name' } })
  await fireEvent.click(button('Pack'))
  await vi.waitFor(() => expect(save).toHaveBeenCalled())
  await screen.findAllByText(/disk/i)
  expect(pack).not.toHaveBeenCalled()
  save.mockResolvedValue({ value: undefined })
  await vi.waitFor(() => expect(button('Pack').getAttribute('aria-disabled')).not.toBe('true'))
  await fireEvent.click(button('Pack'))
  await vi.waitFor(() => expect(pack).toHaveBeenCalledOnce())
})

test('what is ordered is done with the transfer that was open, and calls nobody back to it', async () => {
  one.mockResolvedValue({
    value: { ...someTransfer, form: { ...someTransfer.form, identifier: 'oxen-4' } },
  })
  pack.mockResolvedValue({ value: someTransfer })
  createLike.mockResolvedValue({ value: { ...someTransfer, id: 'made' } })
  for (const [order, ordered] of [
    ['Pack', pack],
    ['New one like this', createLike],
  ] as const) {
    const saving = Promise.withResolvers<{ value: unknown }>()
    save.mockReturnValue(saving.promise)
    go('transfers', someTransfer.id)
    const { rerender, unmount } = render(TransferPage, { id: someTransfer.id })
    const name = await screen.findByRole('textbox', { name: 'Name' })
    await fireEvent.input(name, { target: { value: 'Another name' } })
    await fireEvent.click(button(order))
    // Whoever goes on to another transfer meanwhile is at that.
    go('transfers', 'another')
    await rerender({ id: 'another' })
    saving.resolve({ value: undefined })
    await vi.waitFor(() => expect(ordered).toHaveBeenCalledExactlyOnceWith('', { id: someTransfer.id }))
    await new Promise((done) => setTimeout(done))
    expect(place.id).toBe('another')
    unmount()
  }
})

test('what could not be saved of a draft that is left is told of at the foot', async () => {
  const failure = { kind: 'disk', trouble: 'full', path: '/home/a' }
  one.mockResolvedValue({ value: someTransfer })
  save.mockResolvedValue({ failure })
  const { unmount } = render(TransferPage, { id: someTransfer.id })
  await fireEvent.input(await screen.findByRole('textbox', { name: 'Name' }), { target: { value: 'Oxen' } })
  unmount()
  await vi.waitFor(() => expect(announcement.failure).toEqual(failure))
  announcement.clear()
})

const [source] = someTransfer.sources
if (!source) throw new Error('A draft without a source.')

test('a draft says what its files seem to be, by their names alone', async () => {
  const extensions = [
    { extension: '.tif', files: 310, bytes: 9_000_000 },
    { extension: '', files: 2, bytes: 10 },
    { extension: '.', files: 1, bytes: 21 },
  ]
  await open({ sources: [{ ...source, extensions }], counts: { files: 313, folders: 0, bytes: 9_000_010 } })
  const formats = within(sectionOf(screen.getByRole('heading', { name: 'Formats' })))
  expect(formats.getByText(/determined when it is packed/)).toBeTruthy()
  expect(formats.getAllByRole('row').map((row) => row.textContent.replaceAll(/\s+/g, ' ').trim())).toEqual([
    'FormatFilesSize',
    'TIF 3109 MB',
    'without an extension 331 B',
  ])
})

test('what would stop packing is said before, with the file, and why Pack is not ready', async () => {
  obstacles.mockResolvedValue({
    value: {
      away: ['/drive/Box 2'],
      holding: [],
      shortage: { folder: '/desk/packages', needed: 2_000, free: 0 },
    },
  })
  await open({
    isOverInterface: false,
    packing: { ...someTransfer.packing, form: 'zip' },
    sources: [
      {
        ...source,
        unreadable: { count: 2, first: ['/attic/Oxen/a.tif', '/attic/Oxen/b.tif'] },
        notInZip: { count: 1, first: ['/attic/Oxen/c;1'] },
        emptyFolders: { count: 1, first: ['/attic/Oxen/empty'] },
      },
      { ...source, path: '/drive/Box 2' },
    ],
  })
  const contents = within(sectionOf(screen.getByRole('heading', { name: /^Contents/ })))
  await contents.findByText('/drive/Box 2 is no longer there.')
  for (const said of [
    '/attic/Oxen/a.tif cannot be read.',
    '/attic/Oxen/b.tif cannot be read.',
    /c;1 has a control character/,
    /The package needs 2 kB in \/desk\/packages/,
    'empty',
  ])
    expect(contents.getByText(said)).toBeTruthy()
  const why = 'It still needs contents that can be packed (see Contents) and room on the disk (see Contents).'
  expect([button('Pack').title, screen.getAllByText(why)]).toEqual([why, [expect.anything()]])
  recount.mockResolvedValue({ value: { ...someTransfer, isOverInterface: false } })
  obstacles.mockResolvedValue({ value: { away: [], holding: [], shortage: null } })
  await fireEvent.click(button('Count again'))
  await vi.waitFor(() => expect(screen.queryByText('/attic/Oxen/a.tif cannot be read.')).toBeNull())
})

test('what is not packed is told as to come before packing, and as done after it', async () => {
  const link = { path: '/attic/Oxen/here', why: 'link' as const, target: '/etc' }
  const sources = [{ ...source, skipped: { count: 1, first: [link] } }]
  await open({ sources })
  expect(screen.getByText('1 file will not be packed')).toBeTruthy()
  cleanup()
  const sip = {
    path: '/desk/packages/t1',
    form: 'folder' as const,
    algorithm: 'sha256' as const,
    counts: someTransfer.counts,
    skipped: 1,
    manifest: '',
    content: '',
    formats: null,
  }
  await open({ sources, state: 'prepared', sip })
  expect(screen.getByText('1 file was not packed')).toBeTruthy()
})

test('misnamed and empty files are told before packing', async () => {
  const misnamed = {
    count: 2,
    first: [
      { path: '/attic/Oxen/plan.tif', format: 'PDF' },
      { path: '/attic/Oxen/b.jpg', format: '' },
    ],
  }
  await open({ sources: [{ ...source, misnamed, empty: 1 }] })
  const contents = within(sectionOf(screen.getByRole('heading', { name: /^Contents/ })))
  for (const said of [
    '2 files are not what their extension says',
    'plan.tif',
    'begins as PDF does',
    'does not begin as such a file does',
    '1 file is empty: it has no bytes',
  ])
    expect(contents.getByText(said)).toBeTruthy()
})

test('a draft says what it can be packed without, and not sent', async () => {
  await open({ form: { ...someTransfer.form, agreement: '' } })
  expect(screen.getByText('Before it is sent it needs a submission agreement, too.')).toBeTruthy()
})

test('an identifier that the archive has already is said of a draft', async () => {
  const time = '2026-11-23T16:43:00.000Z'
  duplicates.mockResolvedValue({
    value: [{ kind: 'package', id: 'p', name: 'Oxen', by: 'identifier', time }],
  })
  await open({})
  expect(await screen.findByText(/the archive has this identifier, and takes each once/)).toBeTruthy()
})

test('that the archive cannot be reached is not said once more by a transfer that waits for it', async () => {
  const failure = { kind: 'offline', address: 'https://a.example', detail: 'ECONNREFUSED' } as const
  await open({ state: 'prepared', isWaiting: true, constraints: ['waiting'], failure })
  expect(screen.getByText(/sent by itself as soon as the archive can be reached/)).toBeTruthy()
  expect(screen.queryByText(/could not be reached/)).toBeNull()
})

test.each([
  [true, 1],
  [false, 0],
])(
  'what the archive shows no more may be sent again once that was seen for minutes (%s)',
  async (mayBeSent, count) => {
    const failure = { kind: 'unconfirmed', what: 'submission', mayBeSent } as const
    await open({ state: 'sent', times: { ...someTransfer.times, sent: '2026-11-23T16:43:00.000Z' }, failure })
    expect(screen.getByText(/no longer shows the package/)).toBeTruthy()
    expect(screen.queryAllByRole('button', { name: 'Send again' })).toHaveLength(count)
  },
)

test('what the archive would refuse is said once', () => {
  const refusable = { extensions: [{ extension: '.csv', files: 1 }], empty: 0, unnameable: 2 }
  render(Refusable, { transfer: { ...someTransfer, refusable } })
  const [said, ...others] = screen.getAllByText(/is likely to refuse the whole package/)
  expect(others).toEqual([])
  expect(said?.textContent).toContain('1 file ending in .csv, 2 files with a blank name')
})

test('what was sent stands there as a record, without a field that could be filled in', async () => {
  const { form, times } = someTransfer
  await open({
    state: 'preserved',
    times: { ...times, sent: '2026-11-23T16:43:00.000Z' },
    form: {
      ...form,
      agreementValues: { k: 'Byggnadsnämnden' },
      tags: { REFERENCECODE: 'SE/STA/1', 'dc:creator': 'Vattenverket', Shelf: '4' },
    },
    transport: { by: 'reception folder', folder: '/mnt/reception' },
    generation: 2,
  })
  const record = within(await screen.findByRole('heading', { name: 'What was sent' }).then(sectionOf))
  await record.findByText('Drawings')
  const facts = record
    .getAllByRole('term')
    .map((term) => [term.textContent, term.nextElementSibling?.textContent])
  expect(facts).toEqual([
    ['Name', 'Oxen, fourth delivery'],
    ['Submission agreement', 'Drawings'],
    ['Archival creator', 'Byggnadsnämnden'],
    ['Submitting organization', 'Stadsarkivet'],
    ['Submitted by', 'Astrid Åkesson'],
    ['Identifier of the package', 'SE/STA/1037'],
    // By words where there are some; a receiver's label is as it is.
    ['Reference code', 'SE/STA/1'],
    ['Creator', 'Vattenverket'],
    ['Shelf', '4'],
    ['Way to the archive', 'Copied into its reception folder.'],
  ])
  expect(document.querySelector('input, textarea, select')).toBeNull()
  expect(screen.getByText(/^Generation 2 · The archive has preserved it/)).toBeTruthy()
})

test('what the archive tells late of an agreement moves nothing of the record', async () => {
  const archive = Promise.withResolvers<{ value: unknown }>()
  agreementFields.mockImplementation((_archive: string, { from }: { from: string }) =>
    from === 'archive' ? archive.promise : Promise.resolve({ value: null }),
  )
  await open({ state: 'sent', times: { ...someTransfer.times, sent: '2026-11-23T16:43:00.000Z' } })
  const section = await screen.findByRole('heading', { name: 'What was sent' }).then(sectionOf)
  const terms = () =>
    within(section)
      .getAllByRole('term')
      .map(({ textContent }) => textContent)
  await vi.waitFor(() => expect(section.querySelector('.kept')).not.toBeNull())
  const before = terms()
  archive.resolve({ value: [{ ...creator, usual: 'Vattenverket' }] })
  await within(section).findByText('Vattenverket')
  expect(terms()).toEqual([...before, 'Archival creator'])
})

test('a receipt has what the agreement asked for, by the names that it has there, and the way', async () => {
  const { form } = someTransfer
  receipt.mockResolvedValue({
    value: {
      transfer: { ...someTransfer, form: { ...form, agreementValues: { k: 'Byggnadsnämnden' } } },
      deliveryName: '',
      agreementName: 'Drawings',
      sources: [],
      package: null,
      copies: [],
      wanted: null,
      mayDelete: false,
      reasons: [],
      made: form.name,
    },
  })
  render(Receipt, { id: someTransfer.id })
  const name = await screen.findByText('Archival creator')
  expect(name.nextElementSibling?.textContent).toBe('Byggnadsnämnden')
  expect(screen.getByText('Way to the archive').nextElementSibling?.textContent).toBe('Over its interface.')
})

test.each([
  [{}, 'BagIt', 'Digest of the payload manifest'],
  [{ format: 'e-ark-sip', version: '2.1.0' }, 'E-ARK SIP 2.1.0', 'Digest of METS.xml'],
])('a receipt says what %j was packed as, and of what its digest is', async (as, format, name) => {
  const { counts, packing } = someTransfer
  const sip = { path: '', form: 'tar', algorithm: 'sha256', counts, skipped: 0, manifest: '0f' } as const
  receipt.mockResolvedValue({
    value: {
      transfer: {
        ...someTransfer,
        packing: { ...packing, ...as },
        sip: { ...sip, content: '', formats: null },
      },
      deliveryName: '',
      agreementName: 'Drawings',
      sources: [],
      package: null,
      copies: [],
      wanted: null,
      mayDelete: false,
      reasons: [],
      made: someTransfer.made,
    },
  })
  render(Receipt, { id: someTransfer.id })
  const packedAs = await screen.findByText('Package format')
  expect(packedAs.nextElementSibling?.textContent).toBe(format)
  expect(screen.getByText(name).nextElementSibling?.textContent).toContain('SHA-256 0f')
})

test('a field of a package made elsewhere has its label as its name, whatever that is', () => {
  expect(['dc:title', 'Box-Number', 'constructor', '__proto__'].map(fieldName)).toEqual([
    'Title',
    'Box-Number',
    'constructor',
    '__proto__',
  ])
})

test('an identifier that can be no folder of the archive is said at its field, and nothing is packed', async () => {
  const form = { ...someTransfer.form, identifier: '../1037' }
  await open({ isOverInterface: true, form })
  expect(screen.getByLabelText('Identifier of the package').getAttribute('aria-invalid')).toBe('true')
  expect(button('Pack').title).toContain('an identifier that is allowed')
  await fireEvent.click(button('Pack'))
  expect(pack).not.toHaveBeenCalled()
})

test.each([
  ['SE.1037', true, 'true'],
  ['urn:uuid:1037', true, 'true'],
  ['SE.1037', false, null],
  ['SE-1037', true, null],
])(
  'of %s the field says whether the archive takes it over its interface (%s)',
  async (identifier, isOver, said) => {
    await open({ isOverInterface: isOver, form: { ...someTransfer.form, identifier } })
    expect(screen.getByLabelText('Identifier of the package').getAttribute('aria-invalid')).toBe(said)
  },
)

test('an identifier that can be no root folder of an E-ARK package is said at its field', async () => {
  const packing = { ...someTransfer.packing, format: 'e-ark-sip', version: '2.2.0' }
  const problems = ['OBJID', 'submitter'].map((rule) => ({ rule, label: null, detail: '' }))
  save.mockResolvedValue({ value: undefined })
  await open({
    isOverInterface: false,
    packing,
    profile: { name: 'E-ARK SIP 2.2.0', identifier: '', fields: [], problems },
  })
  // Pack says by words what is missing, also of what stands far below.
  expect(button('Pack').title).toMatch(/an identifier that is allowed and who submits it/)
  expect(screen.getByText('E-ARK SIP 2.2.0 asks for 2 things more:')).toBeTruthy()
  const said = () => screen.queryByText(/^A folder will have this name/)
  expect(said()).not.toBeNull()
  // Without one the package is named by the desk.
  const field = screen.getByLabelText('Identifier of the package')
  for (const identifier of ['', 'SE-STA-1037']) {
    await fireEvent.input(field, { target: { value: identifier } })
    expect(said()).toBeNull()
  }
})

test('fields of an agreement come from the local copy, and the archive is not asked', async () => {
  await open({})
  await screen.findByLabelText('Archival creator')
  expect(agreementFields.mock.calls).toEqual([['', { agreement: 'a', from: 'local copy' }]])
})

test('where the local copy does not know the fields of an agreement, room is kept for them', async () => {
  const archive = Promise.withResolvers<{ value: unknown }>()
  agreementFields.mockImplementation((_archive: string, { from }: { from: string }) =>
    from === 'archive' ? archive.promise : Promise.resolve({ value: null }),
  )
  await open({})
  const room = await screen.findByRole('group', { name: 'What the agreement asks for' })
  expect(room.textContent).toContain('The archive is asked which fields they are.')
  expect(room.className).toContain('kept')
  archive.resolve({ value: null })
  await within(room).findByText(/cannot be asked now/)
  expect(room.className).toContain('kept')
})

test.each(['list', 'not allowed'] as const)(
  'while the archive is asked about deliveries for the first time, room is kept for one: %s',
  async (way) => {
    const learnt = {
      ...someCapabilities,
      lists: [{ list: 'transfers' as const, reads: 'yes' as const, way, isChangeable: false }],
    }
    capabilities.now = { ...learnt, asked: null, lists: [] }
    await open({ isOverInterface: true, form: { ...someTransfer.form, agreement: 'a' } })
    const delivery = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Delivery (optional)' })
    expect(delivery().disabled).toBe(true)
    screen.getByText('The archive is asked whether it keeps a record of the transfer.')
    capabilities.now = learnt
    await vi.waitFor(() => expect(screen.queryByText(/^The archive is asked whether/)).toBeNull())
    expect(delivery().disabled).toBe(way !== 'list')
    cleanup()
    await open({ isOverInterface: true, form: { ...someTransfer.form, agreement: 'a' } })
    expect(screen.queryByRole('combobox', { name: 'Delivery (optional)' }) !== null).toBe(way === 'list')
  },
)

test('where a transfer goes is asked once, also where it is chosen beside its record', async () => {
  await open({ state: 'prepared', constraints: [] })
  await screen.findByRole('heading', { name: /What is said of it|What was packed/ })
  await screen.findByLabelText('Archival creator')
  expect([agreements.mock.calls.length, agreementFields.mock.calls.length]).toEqual([1, 1])
})

test('a draft tells that its agreement proposed the format', async () => {
  const packing = { ...someTransfer.packing, format: 'e-ark-sip', version: '2.1.0' }
  const apply = () => Promise.resolve()
  const hint = /^Proposed by the submission agreement/
  const transfer: Transfer = { ...someTransfer, packing: { ...packing, formatProposedBy: 'agreement' } }
  const { rerender } = render(Arrange, { transfer, apply })
  const field = screen.getByLabelText<HTMLSelectElement>('Package format')
  expect(field.value).toBe('E-ARK SIP 2.1.0')
  const described = () => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent
  expect(described()).toMatch(hint)
  await rerender({ transfer: { ...transfer, packing }, apply })
  expect(described()).not.toMatch(hint)
})

test('an E-ARK package is a folder where it is named as its identifier; else why not is said', async () => {
  const packing = { ...someTransfer.packing, format: 'e-ark-sip', version: '2.2.0', form: 'folder' as const }
  const { id } = someTransfer
  const named = (identifier: string) => ({ ...someTransfer.form, identifier })
  const local: Transfer = { ...someTransfer, packing, isOverInterface: false, form: named(id) }
  const apply = () => Promise.resolve()
  const { rerender } = render(Arrange, { transfer: local, apply })
  const forms = () =>
    within(screen.getByLabelText('Form'))
      .getAllByRole('option')
      .map(({ textContent }) => textContent)
  expect(forms()).toEqual(['Folder', 'One file (tar)', 'One file (zip)'])
  expect(screen.getByLabelText<HTMLSelectElement>('Form').value).toBe('folder')
  expect(screen.queryByText(/A folder is possible with/)).toBeNull()
  await rerender({ transfer: { ...local, form: named('SE/STA/1037') }, apply })
  expect(forms()).toEqual(['One file (tar)', 'One file (zip)'])
  const field = screen.getByLabelText<HTMLSelectElement>('Form')
  expect(field.value).toBe('tar')
  const hint = document.getElementById(field.getAttribute('aria-describedby') ?? '')
  expect(hint?.textContent).toMatch(/A folder is possible with the identifier that the draft began with/)
  await rerender({ transfer: { ...local, isOverInterface: true }, apply })
  expect(screen.queryByLabelText('Form')).toBeNull()
  expect(screen.getByText(/an E-ARK package goes as one file \(tar\)/)).toBeTruthy()
  await rerender({
    transfer: { ...local, packing: someTransfer.packing, form: named('SE/STA/1037') },
    apply,
  })
  expect(forms()).toHaveLength(3)
})

test('where each folder is a representation, how many there are is said', async () => {
  const packing = { ...someTransfer.packing, format: 'e-ark-sip', version: '2.2.0' }
  const each: Transfer = { ...someTransfer, packing: { ...packing, representations: 'each folder' } }
  const apply = () => Promise.resolve()
  const folder = (path: string) => ({ ...source, path, isFolder: true })
  const { rerender } = render(Arrange, { transfer: { ...each, packing, sources: [folder('/a')] }, apply })
  const said = () => screen.getByRole('checkbox', { name: /Each folder that you add/ }).closest('label')
  expect(said()?.textContent).toMatch(/Without it everything is one/)
  // Folders within the only one would be taken for representations otherwise.
  await rerender({ transfer: { ...each, sources: [folder('/a')] }, apply })
  expect(said()?.textContent).toMatch(/There is one so far/)
  const files = { ...source, path: '/c.txt', isFolder: false }
  await rerender({ transfer: { ...each, sources: [folder('/a'), folder('/b'), files] }, apply })
  expect(said()?.textContent).toMatch(/There are 3 representations/)
  await rerender({ transfer: { ...each, sources: [] }, apply })
  expect(said()?.textContent).toMatch(/Without it everything is one/)
})

test('formats with representations are not offered where the agreement makes its own', async () => {
  makes.mockResolvedValue({ value: true })
  const form = { ...someTransfer.form, agreement: 'a' }
  const transfer = { ...someTransfer, form, isOverInterface: true }
  const { rerender } = render(Arrange, { transfer, apply: () => Promise.resolve() })
  const names = () => within(screen.getByLabelText('Package format')).getAllByRole('option')
  await vi.waitFor(() => expect(names().map(({ textContent }) => textContent)).toEqual(['BagIt']))
  expect(screen.queryByText(/takes no E-ARK SIP/)).toBeNull()
  const packing = { ...someTransfer.packing, format: 'e-ark-sip', version: '2.2.0' }
  await rerender({ transfer: { ...transfer, packing } })
  expect(screen.getByText(/takes no E-ARK SIP/)).toBeTruthy()
  makes.mockResolvedValue({ value: false })
  await rerender({ transfer: { ...transfer, packing, form: { ...form, agreement: 'b' } } })
  await vi.waitFor(() => expect(names()).toHaveLength(3))
  expect(screen.queryByText(/takes no E-ARK SIP/)).toBeNull()
})

test('what is packed is ready to be sent once nothing is missing, and not while Send is off', async () => {
  const ready = () => screen.queryAllByText(/Ready to be sent\./).length
  const isOff = () => button('Send').getAttribute('aria-disabled')
  const cases: [Partial<Transfer>, boolean][] = [
    [{ isOverInterface: false, form: { ...someTransfer.form, delivery: '' } }, false],
    [{ isOverInterface: false, form: { ...someTransfer.form, delivery: 'd' } }, true],
    [{ form: { ...someTransfer.form, agreement: '' } }, false],
    [{ form: { ...someTransfer.form, tags: { k: 'Stadsarkivet' } } }, true],
  ]
  for (const [change, isReady] of cases) {
    await open({ state: 'prepared', ...change })
    await vi.waitFor(() => expect([ready(), isOff()]).toEqual(isReady ? [1, null] : [0, 'true']))
    cleanup()
  }
})

test('what was sent says below everything else what happened to it, the last of it last', async () => {
  const at = (minute: number) => `2026-11-23T07:${minute}:00.000Z`
  history.mockResolvedValue({
    value: {
      moments: [
        { time: at(10), source: 'desk', what: 'transfer.failed' },
        { time: at(12), source: 'archive', what: 'uploaded' },
        { time: at(14), source: 'notification', what: 'Preserved <Oxen>', failed: false },
      ],
      earlier: 7,
    },
  })
  await open({
    state: 'sent',
    times: { prepared: at(10), sent: at(11), received: null, preserved: null },
    remote: 'r',
  })
  const section = sectionOf(await screen.findByRole('heading', { name: 'History' }))
  const lines = within(section).getAllByRole('listitem')
  expect(lines.map(({ lastElementChild }) => lastElementChild?.textContent.replaceAll(/\s+/g, ' '))).toEqual([
    'Transfer stopped Failed this desk',
    'The archive has the files archive',
    'Preserved <Oxen> message of the archive',
  ])
  expect(within(section).getByRole('link').textContent).toBe('… and 7 earlier')
  expect(within(section).getByRole('link').getAttribute('href')).toBe(
    '#/activity?text=Oxen%2C+fourth+delivery&source=desk',
  )
  expect(section.parentElement?.lastElementChild).toBe(section)
})

test('what was not sent has no history yet', async () => {
  await open({})
  expect(screen.queryByRole('heading', { name: 'History' })).toBeNull()
  expect(history).not.toHaveBeenCalled()
})

test('a transfer says once below its name where it is', async () => {
  await open({ state: 'preserved' })
  expect(screen.getByText(/The archive has preserved it\./).textContent).toBe('The archive has preserved it.')
})

/** How much the work was, of which so many files are said. */
const countedOf = (files: string) =>
  screen.getByText(files).parentElement?.textContent.replaceAll(/\s+/g, ' ').trim()

test('work that is over leaves its place to how much it was', async () => {
  await open({ state: 'packing' })
  const work = { id: someTransfer.id, work: 'packing', file: 'a/b.txt', bytesPerSecond: 9 }
  told.progress?.({ ...work, files: 2, ofFiles: 2, bytes: 30, ofBytes: 30 }, '')
  expect(await screen.findByRole('progressbar')).toBeTruthy()
  one.mockResolvedValue({ value: { ...someTransfer, state: 'prepared' } })
  told.changed?.({ id: someTransfer.id }, '')
  await vi.waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
  expect(countedOf('2 of 2 files')).toBe('2 of 2 files 30 B of 30 B')
  // The line under its name and the ladder say where it is; a full meter would say it once more.
  expect(screen.queryByRole('meter')).toBeNull()
  expect(screen.queryByRole('heading', { name: 'Prepared' })).toBeNull()
})

test('what was sent counts the files of its draft, without those that went with them', async () => {
  const sip: Transfer['sip'] = {
    path: '/bags/1.tar',
    form: 'tar',
    algorithm: 'sha256',
    counts: { files: 3, folders: 1, bytes: 20 },
    skipped: 0,
    manifest: 'a',
    content: 'b',
    formats: null,
  }
  await open({ state: 'sending', isOverInterface: false, sip })
  const work = { id: someTransfer.id, work: 'sending', file: 'bagit.txt', bytesPerSecond: 9 }
  told.progress?.({ ...work, files: 8, ofFiles: 8, bytes: 30, ofBytes: 30 }, '')
  const bar = await screen.findByRole('progressbar', { name: /^Copying the package/ })
  expect(bar.parentElement?.textContent).toContain('8 of 8 files')
  one.mockResolvedValue({ value: { ...someTransfer, state: 'preserved', isOverInterface: false, sip } })
  told.changed?.({ id: someTransfer.id }, '')
  await screen.findByText('3 of 3 files')
  expect(countedOf('3 of 3 files')).toBe('3 of 3 files 20 B of 20 B')
})

test.each([
  ['en', 1, 'There is 1 copy; the policy requires 1.'],
  ['en', null, 'There is 1 copy; how many there should be is not known.'],
  ['sv', 1, 'Det finns 1 kopia; policyn kräver 1.'],
  ['sv', null, 'Det finns 1 kopia; hur många det borde vara är inte känt.'],
] as const)('a receipt speaks of one copy as of one: %s, %s', async (language, of, said) => {
  setLanguage(language)
  receipt.mockResolvedValue({
    value: {
      transfer: someTransfer,
      deliveryName: '',
      agreementName: '',
      sources: [],
      package: null,
      copies: [],
      wanted: of,
      mayDelete: false,
      reasons: [{ code: 'copies', isMet: of === 1, is: 1, of }],
      made: someTransfer.form.name,
    },
  })
  render(Receipt, { id: someTransfer.id })
  expect(await screen.findByText((text) => text.includes(said))).toBeTruthy()
  setLanguage('en')
})
