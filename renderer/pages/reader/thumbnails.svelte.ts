import { SvelteMap } from 'svelte/reactivity'
import { Failed } from '../../../electron/contract/failure.ts'
import {
  longestThumbnail,
  mayHaveThumbnail,
  mostForThumbnail,
  mostThumbnailsAsked,
  type FoundFile,
} from '../../../electron/contract/reader.ts'
import { bridge, type ArchiveDesk } from '../../bridge.svelte.ts'
import { spokenLanguage } from '../../language/say.svelte.ts'
import { smallSide, type SmallPicture } from '../../viewer/messages.ts'
import { nameIn } from '../../../electron/contract/file-paths.ts'
import { Viewing } from './viewing.svelte.ts'

/** A drawing that is not there by then is given up. */
const patienceMs = 10_000
/** So many are in memory at once. */
const mostPictures = 2 * mostThumbnailsAsked
/** From good to poor: the first that is short enough is kept. */
const qualities = [0.75, 0.4, 0.1]
const webp = 'data:image/webp;base64,'

/** Encodes pixels of a frame; null where nothing is short enough. */
const encode = ({ width, height, pixels }: SmallPicture): string | null => {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0)
  const written = qualities.map((quality) => canvas.toDataURL('image/webp', quality))
  const fitting = written.find((one) => one.startsWith(webp) && one.length - webp.length <= longestThumbnail)
  return fitting?.slice(webp.length) ?? null
}

/** What the archive says of one file alone: that one is given up, and the others may be had. */
const unlessOfAll = (error: unknown): undefined => {
  const isOfOne = error instanceof Failed && ['not-found', 'server-broke'].includes(error.failure.kind)
  if (!isOfOne) throw error
}

const after = (ms: number): Promise<undefined> => new Promise((done) => setTimeout(done, ms))

const decode = (picture: string): Promise<ImageBitmap> =>
  createImageBitmap(
    new Blob([Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0))], { type: 'image/webp' }),
  )

/**
 * Files of a package shown small. What is kept is shown at once; the others are drawn one after the other in
 * a frame that nobody sees, each once.
 */
export class Thumbnails {
  /** By path. */
  readonly pictures = new SvelteMap<string, ImageBitmap>()
  /** What the frame draws now. */
  viewing = $state.raw<Viewing>()
  readonly #desk: ArchiveDesk
  readonly #of: string
  /** Those that are made or could not be made; nothing is shown of it. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #done = new Set<string>()
  #wanted: readonly string[] = []
  #isWorking = false
  #isLeft = false

  constructor(desk: ArchiveDesk, of: string) {
    this.#desk = desk
    this.#of = of
  }

  /** What is seen now: it takes the place of what was seen before. */
  want = (files: readonly FoundFile[]) => {
    this.#wanted = files
      .filter(({ id, bytes }) => mayHaveThumbnail(id, bytes) && !this.#done.has(id))
      .map(({ id }) => id)
      .slice(0, mostThumbnailsAsked)
    if (this.#isWorking || this.#wanted.length === 0) return
    this.#isWorking = true
    // Without a thumbnail a file has its icon.
    this.#work()
      .catch(() => undefined)
      .finally(() => (this.#isWorking = false))
  }

  leave = () => {
    this.#isLeft = true
    this.#wanted = []
    for (const bitmap of this.pictures.values()) bitmap.close()
  }

  /** What was shown first goes first; it is taken from what is kept when it is seen again. */
  #letGo = () => {
    for (const [path, bitmap] of this.pictures) {
      if (this.pictures.size <= mostPictures) return
      this.pictures.delete(path)
      this.#done.delete(path)
      bitmap.close()
    }
  }

  #work = async () => {
    let asked: readonly string[] = []
    while (!this.#isLeft) {
      if (this.#wanted !== asked) {
        asked = this.#wanted
        await this.#showKept(asked)
      }
      const next = this.#wanted.find((path) => !this.#done.has(path))
      if (next === undefined) return
      this.#done.add(next)
      const picture = await this.#make(next).catch(unlessOfAll)
      if (this.#isLeft) return
      // What was given up may be drawn another time.
      if (picture === undefined) continue
      await this.#desk.reader.keepThumbnail({ package: this.#of, path: next, picture })
      await this.#show(next, picture)
    }
  }

  #showKept = async (paths: readonly string[]) => {
    const kept = await this.#desk.reader.thumbnails({ package: this.#of, paths: [...paths] })
    for (const { path, picture } of kept) {
      this.#done.add(path)
      await this.#show(path, picture)
    }
  }

  #show = async (path: string, picture: string | null) => {
    if (picture === null || this.#isLeft) return
    // A picture that is none any more leaves the icon.
    const bitmap = await decode(picture).catch(() => undefined)
    // Nobody would close one that is kept after the others were.
    if (this.#isLeft) return bitmap?.close()
    if (bitmap) this.pictures.set(path, bitmap)
    this.#letGo()
  }

  /** Null for a file that has none; undefined where nobody knows. @throws Failed what the archive says */
  #make = async (path: string): Promise<string | null | undefined> => {
    const opening = this.#desk.reader.open({ package: this.#of, path, most: mostForThumbnail })
    const file = await Promise.race([opening, after(patienceMs)])
    if (!file) {
      // An archive that gives it slowly holds up no other file.
      opening.then(({ key }) => this.#desk.reader.close({ key })).catch(() => undefined)
      return undefined
    }
    try {
      const address = `${location.origin.replace('://desk', '://content')}/${file.key}`
      const name = nameIn(path)
      const small = await this.#draw({ address, name, bytes: file.bytes })
      return small && encode(small)
    } finally {
      this.viewing = undefined
      await this.#desk.reader.close({ key: file.key }).catch(() => undefined)
    }
  }

  /** Has the frame draw a file; null where it cannot, undefined where it was given up. */
  #draw = (file: { address: string; name: string; bytes: number }) => {
    const drawn = Promise.withResolvers<SmallPicture | null | undefined>()
    const viewing = new Viewing()
    viewing.show({ ask: 'show', ...file, language: spokenLanguage(), accent: '', looked: '' })
    this.viewing = viewing
    const giveUp = () => drawn.resolve(undefined)
    const timer = setTimeout(giveUp, patienceMs)
    const stopListening = bridge.viewer.ended(({ host }) => {
      if (host === 'thumbnails') drawn.resolve(null)
    })
    const stopWatching = $effect.root(() => {
      $effect(() => {
        if (viewing.trouble) drawn.resolve(viewing.trouble === 'unreachable' ? undefined : null)
        else if (!viewing.isDrawing) viewing.small(smallSide).then(drawn.resolve, giveUp)
      })
    })
    return drawn.promise.finally(() => {
      clearTimeout(timer)
      stopListening()
      stopWatching()
    })
  }
}
