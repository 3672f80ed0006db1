import {
  checkedByItself,
  type FileCheck,
  type FileFormat,
  type OpenedFile,
} from '../../../electron/contract/reader.ts'
import { isUnreached, type Failure } from '../../../electron/contract/failure.ts'
import { bridge, type ArchiveDesk } from '../../bridge.svelte.ts'
import { spokenLanguage } from '../../language/say.svelte.ts'
import { failureOf } from '../../state/command.svelte.ts'
import type { FilePlace } from '../../state/reader-address.ts'
import { stopAll } from '../../state/stop-all.ts'
import { nameIn } from '../../../electron/contract/file-paths.ts'
import { Viewing, type FrameListener } from './viewing.svelte.ts'

export interface Asked {
  desk: ArchiveDesk
  place: FilePlace
  looked: string
  listener: FrameListener
}

/** A file of a package from the moment it is opened until another one is. */
export class Opening {
  file = $state.raw<OpenedFile>()
  failure = $state.raw<Failure>()
  /** How many bytes of it are on this computer, where the archive gives it only whole. */
  arrived = $state(0)
  /**
   * There from the beginning, so that its frame is loaded while the archive answers; undefined where nothing
   * is drawn: of an empty file, and of one that cannot be opened.
   */
  viewing = $state.raw<Viewing>()
  check = $state.raw<FileCheck>()
  /** What it is, once that is found out. */
  format = $state.raw<FileFormat>()
  /** Whether that was found out, or never will be. */
  isIdentified = $state(false)
  readonly place: FilePlace
  readonly #asked: Asked
  #isLeft = false

  constructor(asked: Asked) {
    this.#asked = asked
    this.place = asked.place
    this.viewing = this.#newViewing()
  }

  get name() {
    return nameIn(this.place.path)
  }

  /** Whether what it is was found out, and it is not being compared. */
  get isFoundOut() {
    return this.isIdentified && this.check?.state !== 'working'
  }

  /** Opens it, and listens to what is told of it; the answer closes it. */
  begin = (): (() => void) => {
    const { desk } = this.#asked
    const stop = stopAll([
      bridge.viewer.ended(({ host }) => host === 'viewer' && this.viewing?.end()),
      desk.reader.arrived(({ key, bytes }) => {
        if (key === this.file?.key) this.arrived = bytes
      }),
      desk.reader.checked((check) => {
        if (check.key === this.file?.key) this.check = check
      }),
    ])
    this.#attempt()
    return () => {
      this.#isLeft = true
      stop()
      this.#close()
    }
  }

  /** Opens it once more, where the archive could not be asked for it. */
  openAgain = () => {
    if (!this.failure || !isUnreached(this.failure)) return
    this.failure = undefined
    this.isIdentified = false
    this.viewing = this.#newViewing()
    this.#attempt()
  }

  /** Draws it from its beginning, in a frame that is new. */
  drawAgain = () => {
    if (!this.file) return
    this.viewing = this.#newViewing()
    this.#show(this.file)
  }

  /** Has the whole file compared with what the package says of it. */
  checkWhole = async () => {
    if (this.file) this.check = await this.#asked.desk.reader.check({ key: this.file.key })
  }
  stopCheck = async () => {
    if (this.file) await this.#asked.desk.reader.stopCheck({ key: this.file.key })
  }

  /** What was read whole to be drawn is compared, however long it is; who cannot is offered it still. */
  #readWhole = () => {
    if (!this.check) this.checkWhole().catch(() => undefined)
  }

  #newViewing = () => new Viewing({ ...this.#asked.listener, readWhole: this.#readWhole })

  #show = ({ key, bytes }: OpenedFile) =>
    this.viewing?.show({
      ask: 'show',
      address: `${location.origin.replace('://desk', '://content')}/${key}`,
      name: this.name,
      bytes,
      language: spokenLanguage(),
      accent: document.documentElement.dataset['accent'] ?? '',
      looked: this.#asked.looked,
    })

  #attempt = () => {
    this.#open()
      .catch((error: unknown) => {
        // Once it is drawn, that nobody says what it is takes nothing away.
        if (this.file?.bytes) return
        this.viewing = undefined
        this.failure = failureOf(error)
      })
      .finally(() => (this.isIdentified = true))
  }

  #open = async () => {
    const { desk, place } = this.#asked
    const file = await desk.reader.open(place)
    this.file = file
    if (this.#isLeft) return this.#close()
    if (file.bytes === 0) this.viewing = undefined
    this.#show(file)
    if (file.bytes <= checkedByItself) await this.checkWhole()
    if (!this.#isLeft) this.format = await desk.reader.identify({ key: file.key })
  }

  #close = () => {
    if (this.file)
      // One that is closed already is none to be told of.
      this.#asked.desk.reader.close({ key: this.file.key }).catch(() => undefined)
  }
}
