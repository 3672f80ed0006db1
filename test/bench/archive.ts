import { createReadStream, createWriteStream, rmSync, statSync } from 'node:fs'
import { createServer, get } from 'node:http'
import path from 'node:path'
import { openAccounts } from '../../electron/local-archive/accounts/accounts.ts'
import { fillEmptyArchive } from '../../electron/local-archive/empty-archive.ts'
import { openDatabase, type Body, type Database } from '../../electron/local-archive/database.ts'
import { packageBody } from '../../electron/local-archive/packages.ts'
import { indexDocuments, indexSlice, listFiles } from '../../electron/local-archive/search/index-records.ts'
import { startArchive } from '../archives/archive.ts'
import type { Figures } from './figures.ts'
import { median, memoryOf, percentile, table, times } from './measure.ts'

const packages = 100_000
const names = 1_000_000
const now = () => new Date('2026-01-15T08:00:00Z')

/** Two levels, as the interface shows them: 50 000 AICs with one AIP each. */
const fillPackages = (database: Database) =>
  database.transaction(() => {
    const user = {
      id: 1,
      username: 'archivist',
      first_name: 'Reading',
      last_name: 'Room',
      email: 'a@localhost',
      last_login: now().toISOString(),
      date_joined: now().toISOString(),
    }
    const agents = Object.fromEntries(
      [
        'ARCHIVIST_ORGANIZATION',
        'CREATOR_ORGANIZATION',
        'SUBMITTER_ORGANIZATION',
        'SUBMITTER_INDIVIDUAL',
        'PRESERVATION_ORGANIZATION',
      ].map((key, id) => [
        key,
        {
          id,
          role: key.split('_')[0],
          type: key.split('_')[1],
          name: 'Byggnadsnämnden i Östra hamnen',
          code: '',
          notes: [],
        },
      ]),
    )
    for (let number = 0; number < packages / 2; number += 1) {
      const id = (level: string) => `${String(number).padStart(8, '0')}-0000-4000-8000-00000000000${level}`
      const shared = {
        label: `Ritningar, kvarteret ${number}`,
        object_identifier_value: `SE/STA/${number}`,
        responsible: user,
        create_date: now().toISOString(),
        agents,
        start_date: now().toISOString(),
      }
      const put = (body: Body) => database.put('information package', packageBody({ ...shared, ...body }))
      put({ id: id('1'), package_type: 1, package_type_display: 'AIC', state: '', object_size: 1 })
      const mets = Object.fromEntries<unknown>(
        ['content', 'package'].flatMap((level) => [
          [`${level}_mets_digest`, 'a'.repeat(64)] as const,
          [`${level}_mets_size`, 4000] as const,
        ]),
      )
      const profiles = Object.fromEntries(
        ['aip', 'sip', 'dip', 'workflow'].map((type) => [
          `profile_${type}`,
          {
            id: id('3'),
            profile: id('4'),
            ip: id('2'),
            profile_name: `Stadsarkivet ${type}`,
            profile_type: type,
            included: true,
            LockedBy: 1,
            Unlockable: false,
            data_versions: [],
          },
        ]),
      )
      put({
        id: id('2'),
        package_type: 2,
        package_type_display: 'AIP',
        state: 'Preserved',
        aic: id('1'),
        generation: 1,
        object_size: 1,
        message_digest: 'b'.repeat(64),
        ...mets,
        ...profiles,
      })
    }
  })

const words = (
  'protokoll ritning brev karta foto räkenskap register plan oxen hamnen skola byggnad nämnd kommun ' +
  'stad diarium bilaga utkast kopia original'
).split(' ')
const extensions = ['pdf', 'tif', 'xml', 'txt', 'jpg', 'docx', 'html', 'wav']

/** The same numbers in every run. */
const drawing = () => {
  let state = 12_345
  return <T>(from: T[]): T => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return from[(state >>> 0) % from.length] as T
  }
}

const fillNames = (database: Database) => {
  const draw = drawing()
  for (let batch = 0; batch < 100; batch += 1) {
    const files = Array.from({ length: names / 100 }, (_, index) => ({
      name:
        `data/${draw(words)} ${draw(words)}/${draw(words)} ${draw(words)} ` +
        `${batch * 10_000 + index}.${draw(extensions)}`,
      bytes: 1000,
    }))
    const aip = {
      id: `package-${batch}`,
      object_identifier_value: `SE/${batch}`,
      create_date: now().toISOString(),
    }
    database.transaction(() => {
      listFiles(database, aip.id, files)
      indexDocuments(database.put('information package', aip), [], database)
      while (indexSlice(database));
    })
  }
}

/** Reads an answer to its end. */
const drain = (url: string, authorization: string, into?: string) =>
  new Promise<{ bytes: number; firstMs: number; seconds: number }>((done, failed) => {
    const began = performance.now()
    get(url, { headers: { authorization } }, (answer) => {
      let [bytes, firstMs] = [0, 0]
      if (into) answer.pipe(createWriteStream(into))
      answer.on('data', (part: Buffer) => {
        if (bytes === 0) firstMs = performance.now() - began
        bytes += part.length
      })
      answer.once('end', () => done({ bytes, firstMs, seconds: (performance.now() - began) / 1000 }))
    }).once('error', failed)
  })

const serveFile = async (file: string) => {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Length', statSync(file).size)
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

/** The local archive under load: a list that does not fit into memory, and a search over a million names. */
export const archiveBench = async (folder: string, figures: Figures) => {
  const data = path.join(folder, 'archive')
  const database = openDatabase(data)
  openAccounts(database, now)
  fillEmptyArchive(database, data, path.join(data, 'ingest'))
  fillPackages(database)
  fillNames(database)
  database.close()
  const archive = await startArchive(data)
  const list = `${archive.url}/api/information-packages/`
  const sent = path.join(folder, 'answer.json')
  await drain(list, archive.basic, sent)
  const plain = await serveFile(sent)
  type Drained = Awaited<ReturnType<typeof drain>>
  const ours: Drained[] = []
  const file: Drained[] = []
  for (let run = 0; run < 5; run += 1) {
    file.push(await drain(plain.url, ''))
    ours.push(await drain(list, archive.basic))
  }
  plain.close()
  const pace = (runs: Drained[]) => median(runs.map((run) => run.bytes / run.seconds / 1e6))
  table(
    `GET /api/information-packages/ of ${packages} packages (median of 5; against the same bytes sent ` +
      'from a file)',
    [
      {
        MB: Math.round((ours[0]?.bytes ?? 0) / 1e6),
        'archive MB/s': Math.round(pace(ours)),
        'file MB/s': Math.round(pace(file)),
        'archive / file': times(pace(ours) / pace(file)),
        'first byte ms': Math.round(median(ours.map(({ firstMs }) => firstMs))),
        'most memory MB': process.platform === 'linux' ? memoryOf(archive.pid, 'VmHWM') : '–',
      },
    ],
  )
  figures.note({
    what: `a list of ${packages} packages / the same bytes sent from a file`,
    values: ours.map((run, index) => {
      const other = file[index] ?? run
      return run.bytes / run.seconds / (other.bytes / other.seconds)
    }),
    unit: '×',
    bar: { least: 0.9 },
  })
  if (process.platform === 'linux')
    figures.note({
      what: 'memory of the carried archive',
      values: [memoryOf(archive.pid, 'VmHWM')],
      unit: 'MB',
      bar: { most: 200 },
    })
  rmSync(sent)

  const draw = drawing()
  const asked = (more: string) =>
    Array.from({ length: 100 }, () =>
      [
        `${archive.url}/api/search/?q=${encodeURIComponent(draw(words))}`,
        `+${encodeURIComponent(draw(words))}${more}`,
      ].join(''),
    )
  const rows = []
  for (const [query, urls] of [
    ['two common words, facets', asked('')],
    ['two common words, two extensions, facets', asked('&extension=pdf,tif')],
    ['no words at all, facets', Array.from({ length: 100 }, () => `${archive.url}/api/search/`)],
  ] as const) {
    const spent: number[] = []
    for (const url of urls) spent.push((await drain(url, archive.basic)).seconds * 1000)
    const bare: number[] = []
    for (const _url of urls) bare.push((await drain(`${archive.url}/api/me/`, archive.basic)).seconds * 1000)
    figures.note({
      what: `search of the carried archive, p95: ${query}`,
      values: [percentile(spent, 0.95)],
      unit: 'ms',
      bar: { most: 100 },
    })
    rows.push({
      query,
      'p50 ms': Math.round(median(spent)),
      'p95 ms': Math.round(percentile(spent, 0.95)),
      'p95 / an empty request': times(percentile(spent, 0.95) / percentile(bare, 0.95)),
    })
  }
  table(`GET /api/search/ over ${names} names of files (100 queries each)`, rows)
  await archive.stop()
}
