import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import type { ArchiveClient } from '../../electron/dialects/dialect.ts'
import type { DescribedContainer } from '../../electron/dialects/reception.ts'
import { formatNamed } from '../../electron/packaging/formats.ts'
import { submission } from '../../electron/dialects/essarch/submissions.ts'
import { specification } from '../../electron/dialects/specification.ts'
import { openEngine } from '../../electron/jobs/engine.ts'
import { openTransfers } from '../../electron/jobs/kinds/transfer/transfers.ts'
import type { CacheOf } from '../../electron/store/cache/caches.ts'
import { openDeskStore, type KeptTransfer } from '../../electron/store/desk/desk-store.ts'
import type { Capabilities } from '../../electron/contract/capabilities.ts'
import { someCapabilities } from '../archives/capabilities.ts'
import { layInReception } from '../../electron/jobs/kinds/transfer/reception.ts'
import { mountPointOf } from '../../electron/jobs/kinds/transfer/ingest-folder.ts'
import { finish, submit } from '../../electron/jobs/kinds/transfer/submission.ts'
import { present } from '../support/present.ts'
import { scratch } from '../support/scratch.ts'
import { startDialect } from '../archives/dialects.ts'
import { preparedTransfer } from './kept-jobs.ts'
import { pack, scripts } from '../packages/packing.ts'
import { openArchiveClient } from '../archives/archive-client.ts'

/** A folder for all that the tests of a file write. */
export const place = scratch()
/** A package in one tar, of which each desk sends a copy. */
export const tar = path.join(place.folder, 'package.tar')
const bag = path.join(place.folder, 'package')
/** What desks have noted to lie in the reception. */
export const { laidPackages: laid } = openDeskStore(':memory:')

/** An archive that speaks as ESSArch does, and what is packed for it. */
interface Prepared extends Awaited<ReturnType<typeof startDialect>> {
  /** The id of its only agreement. */
  agreement: string
  packed: Awaited<ReturnType<typeof pack>>
  packedFolder: Awaited<ReturnType<typeof pack>>
}
let prepared: Prepared | undefined

/** The archive that packages are submitted to in these tests. */
export const essarch = (): Prepared => present(prepared)

/** Starts it, before all tests of a file. */
export const startEssarch = async () => {
  // Each step of the archive takes a moment, so that hundreds of submissions fit into a test.
  process.env['ESSARCH_TASK_MS'] = '5'
  const served = await startDialect('essarch')
  delete process.env['ESSARCH_TASK_MS']
  const source = path.join(place.folder, 'källa')
  mkdirSync(source)
  writeFileSync(path.join(source, 'brev.docx'), 'Ett brev')
  writeFileSync(path.join(source, 'tom'), '')
  const packed = await pack([source], tar, { form: 'tar' })
  const known = path.join(place.folder, 'Kända format')
  mkdirSync(path.join(known, 'mapp å'), { recursive: true })
  writeFileSync(path.join(known, 'mapp å', 'brev 100%.txt'), 'Ett brev')
  // Merging the first takes what waits of the second, whose name begins alike.
  writeFileSync(path.join(known, 'bild.tif'), 'first')
  writeFileSync(path.join(known, 'bild.tif_1.tif'), 'second')
  const packedFolder = await pack([known], bag, { form: 'folder' })
  prepared = { ...served, agreement: '', packed, packedFolder }
  prepared.agreement = present((await submission.agreements(clientOf('reader')))[0]).id
}

/** Ends it, after all tests of a file. */
export const stopEssarch = async () => {
  await essarch().stop()
  place[Symbol.dispose]()
}

/** A client of the archive that asks as one of its accounts. */
export const clientOf = (username: string): ArchiveClient => {
  const { password } = present(
    [essarch().archive, ...essarch().archive.others].find((account) => account.username === username),
  )
  return openArchiveClient(
    essarch().archive.url,
    `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  )
}

/** A desk with one transfer that is packed: as one tar, or as a folder of which each file goes by itself. */
export const openDesk = (
  archive: ArchiveClient,
  name = 'Brev',
  form: 'tar' | 'folder' = 'tar',
  id: string = crypto.randomUUID(),
  desksLaid = laid,
) => {
  const file = path.join(place.folder, `${id}${form === 'tar' ? '.tar' : ''}`)
  cpSync(form === 'tar' ? tar : bag, file, { recursive: true })
  const { counts, manifest, content } = form === 'tar' ? essarch().packed : essarch().packedFolder
  const sip = { path: file, counts, manifest, content, form }
  const prepared = preparedTransfer({ id, name }, sip)
  let kept: KeptTransfer = { ...prepared, form: { ...prepared.form, agreement: essarch().agreement } }
  const sent: number[] = []
  const noted = new Map<string, boolean>()
  let clock = () => new Date()
  let wait = async (): Promise<void> => void (await pass(3))
  // How fast this computer's disk is just now decides nothing here.
  let writeSpeed = Infinity
  const parts = (client: ArchiveClient, mayReceive = true, signal = new AbortController().signal) => ({
    archive: client,
    change: (_id: string, change: Partial<KeptTransfer>) => (kept = { ...kept, ...change }),
    current: () => kept,
    noteExtension: (extension: string, isAccepted: boolean) => void noted.set(extension, isAccepted),
    laid: desksLaid,
    scripts,
    mayReceive,
    mayRecord: true,
    writeSpeedOf: () => Promise.resolve(writeSpeed),
    signal,
    now: () => clock(),
    wait: () => wait(),
    onPlan: () => undefined,
    onProgress: ({ bytes }: { bytes: number }) => void sent.push(bytes),
  })
  return {
    id,
    file,
    sent,
    noted,
    kept: () => kept,
    /** Packs another source in place of what was packed. */
    packAnew: async (source: string) => {
      rmSync(file, { recursive: true })
      const { counts, manifest, content } = await pack([source], file, { form })
      kept = { ...kept, sip: { ...present(kept.sip), counts, manifest, content } }
    },
    change: (change: Partial<KeptTransfer>) => (kept = { ...kept, ...change }),
    /** Writes to drives so fast, in bytes a second. */
    writeAt: (bytesPerSecond: number) => (writeSpeed = bytesPerSecond),
    /** Goes by another clock, and waits otherwise. */
    goBy: (other: { clock: typeof clock; wait: typeof wait }) => ({ clock, wait } = other),
    submit: (client = archive) => submit(kept, parts(client)),
    finish: (client = archive, mayReceive = true, signal?: AbortSignal) =>
      finish(kept, parts(client, mayReceive, signal)),
  }
}

/**
 * A client that a desk is killed with: at a request that changes something, before it leaves or once it was
 * answered. Whoever is killed at another finds what a kill before the next of them leaves.
 */
export const dying = (archive: ArchiveClient, at: number, when: 'before' | 'after') => {
  let requests = 0
  const died = new Error('killed')
  const guard =
    <Given extends unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      requests += 1
      if (requests > at) throw died
      if (requests === at && when === 'before') throw died
      const answer = await ask(...given)
      if (requests === at) throw died
      return answer
    }
  return {
    died,
    requests: () => requests,
    client: {
      ...archive,
      post: guard(archive.post),
      patch: guard(archive.patch),
      delete: guard(archive.delete),
      upload: guard(archive.upload),
    },
  }
}

/** What the archive holds of a transfer. */
export const heldOf = async (archive: ArchiveClient, { id }: { id: string }) => {
  const query = new URLSearchParams({ view_type: 'flat', object_identifier_value: id })
  return (await archive.list(`information-packages/?${query.toString()}`)) as { id: string; state: string }[]
}

/** Sends what is killed at a request, and goes on with it as the desk does that is started again. */
export const sendKilled = async (
  desk: ReturnType<typeof openDesk>,
  archive: ArchiveClient,
  at: number,
  when: 'before' | 'after',
): Promise<{ killed: boolean; requests: number }> => {
  const { client, died, requests } = dying(archive, at, when)
  try {
    await desk.submit(client)
    await desk.finish(client)
    return { killed: false, requests: requests() }
  } catch (error) {
    if (error !== died) throw error
  }
  if (desk.kept().state !== 'sent' && desk.kept().state !== 'received') await desk.submit()
  await desk.finish()
  return { killed: true, requests: requests() }
}

/** A client of an archive that answers some lists otherwise. */
export const listing = (
  archive: ArchiveClient,
  change: (address: string, rows: Record<string, unknown>[]) => unknown[],
): ArchiveClient =>
  Object.assign({}, archive, {
    list: async (address: string) =>
      change(address, (await archive.list(address)) as Record<string, unknown>[]),
  })

/** A desk with a transfer that adds to a package which another one brought. */
export const openGeneration = async (archive: ArchiveClient, form: 'tar' | 'folder' = 'tar') => {
  const former = openDesk(archive, 'Brev', 'folder')
  await former.submit()
  await former.finish()
  const desk = openDesk(archive, 'Brev, tillägg', form)
  const generationOf = { id: present(former.kept().package), title: 'Brev' }
  desk.change({ form: { ...desk.kept().form, agreement: '', generationOf } })
  return { former, desk }
}

/** Where the archive receives packages that are laid there. */
export const reception = () => path.join(essarch().data, 'reception')

/** A desk whose transfer has so many files that a drive is faster, and sends each by itself. */
export const openManyFiles = async (archive: ArchiveClient) => {
  const desk = openDesk(archive, 'Många filer', 'folder')
  const source = path.join(place.folder, 'många')
  mkdirSync(source, { recursive: true })
  for (let file = 0; file < 200; file += 1) writeFileSync(path.join(source, `${file}.txt`), `${file}`)
  await desk.packAnew(source)
  return desk
}

/** A desk whose transfer is an E-ARK SIP in one tar; `tags` is what is said of it further. */
export const openSip = async (
  archive: ArchiveClient,
  {
    source = path.join(place.folder, 'källa'),
    tags = {},
  }: { source?: string; tags?: Record<string, string> } = {},
) => {
  const desk = openDesk(archive)
  const file = path.join(place.folder, `${desk.id}-sip.tar`)
  const sip = formatNamed('e-ark-sip')
  const { counts, manifest, content } = await sip.write(
    {
      sources: [source],
      form: 'tar',
      algorithms: ['sha256'],
      record: {
        ...sip.describe([]),
        identifier: desk.kept().form.identifier,
        organization: 'Nämnden',
        further: Object.entries(tags),
      },
      profile: null,
      software: 'Lectern 1.0',
      made: new Date(),
    },
    file,
    { scripts: scripts.pack, signal: new AbortController().signal },
  )
  desk.change({
    packing: { ...desk.kept().packing, format: 'e-ark-sip', version: '2.2.0' },
    form: { ...desk.kept().form, organization: 'Nämnden' },
    sip: { ...present(desk.kept().sip), path: file, counts, manifest, content },
  })
  return desk
}

/** The description of a desk's container. */
export const descriptionOf =
  ({ id }: { id: string }) =>
  (file: DescribedContainer['file']): string =>
    submission.describeContainer({
      identifier: id,
      label: 'Brev',
      agreement: essarch().agreement,
      type: 'E-ARK SIP 2.2.0',
      software: 'Lectern 1.0',
      archivist: '',
      organization: 'Nämnden',
      person: '',
      start: '',
      end: '',
      made: new Date(),
      file,
    })

/** Lays the SIP of a desk into the reception; `killed` says where the desk dies. */
export const lay = async (
  desk: ReturnType<typeof openDesk>,
  killed: 'never' | 'copying' | 'describing' = 'never',
) => {
  const stop = new AbortController()
  laid.note(desk.kept(), { reception: reception(), mountPoint: await mountPointOf(reception()) })
  if (killed !== 'never') desk.change({ state: 'sending', sending: 'submitting' })
  const laying = layInReception(desk.kept(), reception(), {
    scripts: scripts.pack,
    signal: stop.signal,
    onPlan: () => {
      if (killed === 'copying') stop.abort()
    },
    mountPoint: '',
    laid,
    describe: (file) => {
      if (killed === 'describing') throw new Error('killed')
      return descriptionOf(desk)(file)
    },
  })
  desk.change({ state: 'sending', sending: 'submitting', reception: reception() })
  return laying.then(
    () => true,
    () => false,
  )
}

/** A client of an archive that answers one address with something that nobody can read. */
export const nonsense = (
  archive: ArchiveClient,
  at: RegExp,
  answer: unknown = { nothing: true },
): ArchiveClient =>
  Object.assign({}, archive, {
    get: (address: string) => (at.test(address) ? Promise.resolve(answer) : archive.get(address)),
    post: (address: string, ...given: [unknown, number?]) =>
      at.test(address) ? Promise.resolve(answer) : archive.post(address, ...given),
    list: async (address: string) =>
      at.test(address)
        ? (await archive.list(address)).map((row) => Object.assign({}, row, answer))
        : archive.list(address),
  })

/** A desk on disk with everything that works at transfers; its archive takes packages over the interface. */
export const openWholeDesk = (
  archive: ArchiveClient,
  capabilitiesOf = (): Capabilities | null => ({ ...someCapabilities, submission: 'whole' }),
) => {
  const folder = path.join(place.folder, crypto.randomUUID())
  mkdirSync(folder)
  const store = openDeskStore(path.join(folder, 'desk.sqlite'), () => new Date())
  const bugs: unknown[] = []
  const reportBug = (error: unknown) => String(bugs.push(error))
  const engine = openEngine({
    isPaused: store.isPaused,
    dueJobs: store.dueJobs,
    now: () => new Date(),
    random: () => 0,
    reportBug,
  })
  const cache = { where: () => [], some: () => [], packages: { identified: () => [] } }
  const transfers = openTransfers({
    engine,
    store,
    cacheOf: (() => cache) as unknown as CacheOf,
    dialectOf: () => specification,
    capabilitiesOf,
    findClient: () => archive,
    noteExchange: () => undefined,
    packagesFolder: path.join(folder, 'packages'),
    scripts,
    version: '1',
    now: () => new Date(),
    wait: async () => void (await pass(3)),
    changed: () => undefined,
    progress: () => undefined,
    reportBug,
  })
  return {
    store,
    transfers,
    bugs,
    idle: async () => {
      while (engine.running().length > 0) await Promise.all(engine.running().map(engine.ended))
    },
    close: async () => {
      await engine.stop()
      store.close()
    },
  }
}
