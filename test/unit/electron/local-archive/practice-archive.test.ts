import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import packages from '../../../../resources/sample/packages.json' with { type: 'json' }
import type { Body } from '../../../../electron/local-archive/database.ts'
import { practiceId } from '../../../../electron/local-archive/sample/practice-packages.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'

const folder = path.resolve(import.meta.dirname, '../../../../resources/sample')
const generations = packages.flatMap((item) =>
  item.generations.map((generation, index) => ({ item, nth: index + 1, files: generation.files })),
)

const start = (data: string) => startArchive(data, '--practice', '--dialect', 'specification')

/** What the archive shows of a generation; undefined where it is not preserved yet. */
const shownBy = async (archive: RunningArchive, identifier: string, nth: number) => {
  const response = await fetch(`${archive.url}/api/information-packages/${practiceId(identifier, nth)}/`, {
    headers: { authorization: archive.basic },
  })
  return response.ok ? ((await response.json()) as Body) : undefined
}

/** Waits until every package with files is preserved. */
const filled = async (archive: RunningArchive) => {
  for (const { item, nth } of generations) await until(() => shownBy(archive, item.identifier, nth), 60_000)
}

describe('the files that are carried along', () => {
  const listed = generations.flatMap(({ item, files }) =>
    files.map(({ name, from, bytes }) => ({ file: `${item.folder}/${from}/${name}`, bytes })),
  )

  test('are those of the list, and together under 12 MB', () => {
    const held = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'packages.json')
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    expect(new Set(held)).toEqual(new Set(listed.map(({ file }) => file)))
    const bytes = held.reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0)
    expect(bytes).toBeLessThan(12_000_000)
  })

  test('are of every kind that a reader may be shown, and of one that nobody knows', () => {
    const kinds = new Set(listed.map(({ file }) => path.extname(file).toLowerCase()))
    const pictures = '.jpg .png .gif .webp .avif .svg .bmp .tif .jp2 .heic .dxf'
    const documents = '.pdf .docx .odt .rtf .txt .md .log'
    const tables = '.csv .tsv .xlsx .ods .siard .sqlite .gpkg'
    const letters = '.eml .mbox .msg'
    const recordings = '.wav .flac .mp3 .ogg .mp4 .webm .vtt'
    const others = '.warc .gz .zip .tar .xml .json .bkx'
    const wanted = [pictures, documents, tables, letters, recordings, others].join(' ').split(' ')
    expect(wanted.filter((kind) => !kinds.has(kind))).toEqual([])
  })
})

describe('an archive to practise in', () => {
  const place = scratch()
  let archive: RunningArchive
  beforeAll(async () => {
    archive = await start(place.folder)
    await filled(archive)
  }, 120_000)
  afterAll(async () => {
    await archive.stop()
    place[Symbol.dispose]()
  })

  test('has preserved each package by the rules of what is sent to it', async () => {
    expect(await shownBy(archive, 'SE/STA/3001', 3)).toMatchObject({
      start_date: '1938-01-01T00:00:00.000Z',
      end_date: '1951-12-31T00:00:00.000Z',
    })
    const events = (await archive.get('events/')) as Body[]
    const objects = (await archive.get('storage-objects/')) as Body[]
    for (const { item, nth, files } of generations) {
      const id = practiceId(item.identifier, nth)
      expect(await shownBy(archive, item.identifier, nth)).toMatchObject({
        label: item.label,
        generation: nth,
        state: 'Preserved',
        object_num_items: files.length,
        last_generation: nth === item.generations.length,
      })
      const notes = events
        .filter((event) => event['information_package'] === id)
        .map((event) => String(event['eventOutcomeDetailNote']))
      expect(notes).toContainEqual(expect.stringContaining('complete and valid'))
      expect(objects.filter((object) => object['ip'] === id)).toHaveLength(3)
    }
  })

  test('opens every file as it was preserved', async () => {
    for (const { item, nth, files } of generations)
      for (const { name, bytes, sha256 } of files) {
        const where = `information-packages/${practiceId(item.identifier, nth)}/files/`
        const address = `${archive.url}/api/${where}?path=${encodeURIComponent(`content/data/${name}`)}`
        const response = await fetch(address, { headers: { authorization: archive.basic } })
        const content = Buffer.from(await response.arrayBuffer())
        expect({ name, status: response.status, bytes: content.length }).toEqual({ name, status: 200, bytes })
        expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
        expect(response.headers.get('etag')).toContain(sha256)
      }
  })

  test('has something to do and to mend, dated by its first start', async () => {
    const orders = (await archive.get('orders/')) as Body[]
    expect(orders.map((order) => String(order['create_date'])).every(isOfThisWeek)).toBe(true)
    expect(orders.map((order) => (order['information_packages'] as unknown[]).length)).toEqual([4, 4, 2])
    expect((await archive.get('transfers/')) as Body[]).toHaveLength(3)
    const media = (await archive.get('storage-mediums/')) as Body[]
    expect(media.filter((medium) => medium['status'] === 100)).toHaveLength(1)
    const told = (await archive.get('notifications/')) as Body[]
    expect(told.filter((message) => message['seen'] === false)).toMatchObject([
      {
        level: 'error',
        message: expect.stringMatching(/^Brandförsvarets .+ could not be preserved/) as unknown,
      },
      { level: 'success', message: expect.stringMatching(/^H\. Bergström/) as unknown },
      { level: 'success', message: expect.stringMatching(/^Kv\. Oxen 4/) as unknown },
      { level: 'error', message: expect.stringMatching(/^LTO-0415/) as unknown },
    ])
  })
})

const isOfThisWeek = (date: string) => Date.now() - Date.parse(date) < 7 * 86_400_000

test('an archive that was killed while it was filled goes on, and has everything once', async () => {
  using place = scratch()
  const first = await start(place.folder)
  await until(() => shownBy(first, 'SE/STA/3001', 2), 60_000)
  await first.kill()
  const second = await start(place.folder)
  await filled(second)
  const packagesShown = (await second.get('information-packages/')) as Body[]
  for (const item of packages) {
    const shown = packagesShown.filter((body) => body['object_identifier_value'] === item.identifier)
    expect(shown).toHaveLength(1)
    expect(shown[0]?.['information_packages']).toHaveLength(item.generations.length)
  }
  const orders = (await second.get('orders/')) as Body[]
  expect(orders).toHaveLength(3)
  await second.stop()
}, 120_000)
