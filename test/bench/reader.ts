import { createWriteStream, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { startArchive } from '../archives/archive.ts'
import { makeBag } from '../packages/bags.ts'
import { openDesk, type Desk } from '../e2e/launch.ts'
import { hugePdf } from '../viewer/make-pdf.ts'
import { hugeSiard } from '../viewer/siard.ts'
import { hugeTiff } from '../viewer/tiff.ts'
import { sharedMemoryOf, sumOf } from './processes.ts'
import { fileOf, mailboxFile, writeLargeTar, type LargeFile } from './large-files.ts'
import { longFilm } from './long-film.ts'
import type { Figures } from './figures.ts'
import { counted, median, percentile, seconds, sound, table, timed } from './measure.ts'

const opens = 12
/** While a file is looked at, memory is read so often, for so long. */
const [lookEveryMs, looks] = [100, 40]
/** So much of a picture is written; the others of its bytes are zero. */
const writtenOfPicture = 4 * 1024 * 1024

/** Large files as archives have them. */
const largeFiles = (): LargeFile[] => [
  fileOf(hugeTiff([22_528, 11_264, 5_632, 2_816, 1_408, 704, 352]), 'karta.tif', writtenOfPicture),
  fileOf(hugeTiff([26_112]), 'karta, en storlek.tif', writtenOfPicture),
  mailboxFile('brev.mbox', 100_000),
  fileOf(hugeSiard(4_000_000), 'bygglov.siard'),
  fileOf(hugePdf(5_000), 'handlingar.pdf'),
  longFilm('film.mp4', 10_000_000_000, 18_000),
]

/** Notes in a frame when a person sees a file first: its picture, letter, tables, page, or what moves. */
const noteSight = () => {
  const isPainted = () => {
    const canvas = document.querySelector<HTMLCanvasElement>('.openseadragon-canvas canvas')
    const pixel = canvas?.getContext('2d')?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1)
    return (pixel?.data[3] ?? 0) > 0
  }
  const hasText = (selector: string, text: string) =>
    [...document.querySelectorAll(selector)].some((one) => one.textContent.includes(text))
  const isPlaying = () =>
    (document.querySelector('video')?.readyState ?? 0) >= HTMLMediaElement.HAVE_CURRENT_DATA
  const look = () => {
    const isSeen =
      isPainted() ||
      isPlaying() ||
      hasText('.letter', 'Brev nummer') ||
      hasText('[role=row]', 'bygglov') ||
      hasText('.textLayer', 'Sida nummer 1')
    if (!isSeen) return void requestAnimationFrame(look)
    Object.assign(window, { seenAt: Date.now() })
  }
  if (window !== top) addEventListener('DOMContentLoaded', look)
}

/** The most MB that its processes hold in several looks, what they share counted once. */
const mostHeldBy = async (desk: Desk): Promise<number> => {
  let most = 0
  for (let look = 0; look < looks; look += 1) {
    most = Math.max(most, sumOf(sharedMemoryOf(desk)))
    await desk.page.waitForTimeout(lookEveryMs)
  }
  return most
}

/**
 * Puts a tar of large files in the place of one that the archive preserved a moment ago: to have them
 * checked, written three times and read back would take longer than everything that is measured.
 */
const replaceTar = async (data: string, files: LargeFile[]): Promise<string> => {
  const database = new DatabaseSync(path.join(data, 'archive.sqlite'))
  const found = database
    .prepare(
      `select id, body ->> 'object_path' as file from record
         where kind = 'information package' and body ->> 'package_type' = 2`,
    )
    .get()
  const [id, file] = [String(found?.['id']), String(found?.['file'])]
  const bytes = await writeLargeTar(
    file,
    [{ name: `${id}/mets.xml`, content: Buffer.from('<mets xmlns="http://www.loc.gov/METS/"/>') }],
    files.map((large) => ({ name: `${id}/content/data/${large.name}`, file: large })),
  )
  database.prepare(`update record set body = json_set(body, '$.object_size', ?) where id = ?`).run(bytes, id)
  database
    .prepare(`delete from record where kind = 'storage object' and body ->> 'content_location_value' <> ?`)
    .run(file)
  database.close()
  return id
}

const openLocalArchive = async () => {
  const desk = await openDesk()
  await desk.page.locator('.carried button').nth(0).click()
  await desk.page.getByRole('link', { name: 'Packages' }).click()
  return { desk, data: path.join(desk.userData, 'local-archive') }
}

/** The frame that draws the file, and not the one of the small pictures. */
const drawing = '.viewer iframe'

/** Where a file lies in the package. */
const pathOf = (name: string) => `content/data/${name}`

/**
 * From the address of a file to the first sight of it, each time out of the list of packages: in a new
 * reader, under a new key and in a new frame.
 */
const openOften = async (desk: Desk, id: string, { name }: LargeFile) => {
  const { page } = desk
  const go = (address: string) =>
    page.evaluate((wanted) => {
      location.hash = wanted
      return Date.now()
    }, address)
  const place = `#/reader/${id}?path=${encodeURIComponent(pathOf(name))}`
  const spent: number[] = []
  let [idle, held] = [0, 0]
  for (let run = 0; run < opens; run += 1) {
    await go('#/packages')
    await page.getByRole('row', { name: /stort/ }).waitFor()
    if (run === 0) idle = await mostHeldBy(desk)
    const began = await go(place)
    const frame = await (await page.locator(drawing).elementHandle())?.contentFrame()
    const seen = await frame?.waitForFunction(() => Reflect.get(window, 'seenAt') as unknown)
    spent.push(Number(await seen?.jsonValue()) - began)
    if (run % 4 === 3) held = Math.max(held, await mostHeldBy(desk))
  }
  return { spent: counted('opens', spent, opens), held: held - idle }
}

/** All of a file, written to the disk as whoever has no reader does it. */
const copyOf = async (data: string, id: string, files: LargeFile[], folder: string): Promise<number[]> => {
  const archive = await startArchive(data, '--dialect', 'specification')
  const target = path.join(folder, 'copy')
  const spent: number[] = []
  for (const { name, bytes } of files) {
    spent.push(
      await timed(async () => {
        const answer = await fetch(
          `${archive.url}/api/information-packages/${id}/files/?path=${encodeURIComponent(pathOf(name))}`,
          { headers: { authorization: archive.basic } },
        )
        if (!answer.body || Number(answer.headers.get('content-length')) !== bytes)
          throw new Error(`${name}: ${answer.status}`)
        await pipeline(answer.body, createWriteStream(target))
      }),
    )
    rmSync(target)
  }
  await archive.stop()
  return spent
}

/** The first sight of large files, out of the tar of a preserved package, and what it takes. */
export const readerBench = async (folder: string, figures: Figures) => {
  const files = largeFiles()
  const { desk, data } = await openLocalArchive()
  const bag = path.join(folder, 'bag')
  makeBag(bag, { 'External-Identifier': 'stort' })
  renameSync(bag, path.join(data, 'ingest', 'stort'))
  await desk.page.getByRole('row', { name: /stort/ }).waitFor()
  await desk.app.close()
  let id = ''
  const made = await timed(async () => {
    id = await replaceTar(data, files)
  })
  console.log(`Made ${files.length} large files in ${seconds(made)}.`)
  const copied = await copyOf(data, id, files, folder)
  await desk.restart('started')
  await desk.app.context().addInitScript(noteSight)
  await desk.page.getByRole('link', { name: 'Packages' }).click()
  const rows: Record<string, string | number>[] = []
  for (const [index, file] of files.entries()) {
    const { spent, held } = await openOften(desk, id, file)
    figures.note({
      what: `first sight of ${file.name}, p95`,
      values: [percentile(spent, 0.95)],
      unit: 'ms',
      bar: { most: 1_000 },
    })
    figures.note({
      what: `memory over idle with ${file.name}`,
      values: [Math.max(0, held)],
      unit: 'MB',
      bar: { most: 400 },
    })
    rows.push({
      file: file.name,
      GB: (file.bytes / 1e9).toFixed(1),
      opens: spent.length,
      'p50 ms': Math.round(median(spent)),
      'p95 ms': Math.round(percentile(spent, 0.95)),
      'memory over idle, MB': Math.round(sound('memory', Math.max(0, held), 'MB')),
      'copy of the whole file': seconds(copied[index] ?? NaN),
    })
  }
  table('First sight of a large file in the reader (bars: p95 1 000 ms, memory 400 MB over idle)', rows)
  await desk.close()
}
