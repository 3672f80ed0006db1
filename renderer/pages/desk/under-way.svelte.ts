import { SvelteMap } from 'svelte/reactivity'
import type { BatchSummary } from '../../../electron/contract/batch.ts'
import type { Check } from '../../../electron/contract/checks.ts'
import type { Dissemination } from '../../../electron/contract/dips.ts'
import { nameIn, nameOnDisk } from '../../../electron/contract/file-paths.ts'
import { isTroubled, type Download } from '../../../electron/contract/files.ts'
import { may } from '../../../electron/contract/jobs.ts'
import type { Progress, TransferRow } from '../../../electron/contract/transfers.ts'
import { bridge, type ArchiveDesk } from '../../bridge.svelte.ts'
import { say, shown } from '../../language/say.svelte.ts'
import { addressOf } from '../../state/place.svelte.ts'
import { Query } from '../../state/query.svelte.ts'
import { stopAll } from '../../state/stop-all.ts'
import { openByteRates } from './byte-rates.ts'

/** Something that this desk works at, as a line says it. */
export interface Work {
  id: string
  title: string
  href: string
  /** How much of it is done, from 0 to 1. */
  share: number
  /** How far it is, in the units that it has. */
  note: string
  act: { kind: 'pause' | 'go-on' | 'stop'; text: string; run: () => Promise<unknown> } | null
}

interface Amount {
  files?: { done: number; of: number }
  bytes: number
  /** null where nobody knows. */
  ofBytes: number | null
  bytesPerSecond: number
}

const noteOf = ({ files, bytes, ofBytes, bytesPerSecond }: Amount): string => {
  const left = bytesPerSecond > 0 && ofBytes !== null ? (ofBytes - bytes) / bytesPerSecond : 0
  return [
    files && files.of > 0 ? say.transfers.ofFiles(files.done, files.of) : '',
    say.files.share(bytes, ofBytes),
    bytesPerSecond > 0
      ? say.transfers.rate(shown.size(bytesPerSecond), left > 0 ? shown.duration(left) : '')
      : '',
  ]
    .filter(Boolean)
    .join(' · ')
}
const shareOf = (done: number, of: number | null) => (of === null || of === 0 ? 0 : done / of)

/** What this desk works at for an archive, and what it checks; fresh after every news while it listens. */
export class UnderWay {
  readonly #desk: ArchiveDesk
  readonly dips: Query<Dissemination[]>
  readonly downloads: Query<Download[]>
  readonly #batches: Query<BatchSummary[]>
  readonly #checks: Query<Check[]>
  readonly #transferProgress = new SvelteMap<string, Progress>()
  readonly #downloadProgress = new SvelteMap<string, Download & { bytesPerSecond: number }>()
  readonly #byteRates = openByteRates(() => performance.now())

  constructor(desk: ArchiveDesk) {
    this.#desk = desk
    this.dips = new Query(() => desk.dips.unfinished())
    this.downloads = new Query(() => desk.files.unfinished())
    this.#batches = new Query(() => desk.batch.list())
    this.#checks = new Query(() => bridge.checks.list())
  }

  listen = () => {
    const desk = this.#desk
    return stopAll([
      desk.dips.changed(() => this.dips.refresh()),
      desk.files.progress(this.#downloaded),
      desk.batch.changed(() => this.#batches.refresh()),
      desk.transfers.progress((progress) => this.#transferProgress.set(progress.id, progress)),
      bridge.checks.changed(() => this.#checks.refresh()),
    ])
  }

  #downloaded = (download: Download) => {
    const { id, state, bytesDone } = download
    const known = this.downloads.value?.find((one) => one.id === id)
    if (state !== 'running') this.#byteRates.forget(id)
    if (known?.state !== state) this.downloads.refresh()
    const bytesPerSecond = state === 'running' ? this.#byteRates.of(id, bytesDone) : 0
    this.#downloadProgress.set(id, { ...download, bytesPerSecond })
  }

  /** What is worked at now, or was stopped by a person, of all kinds. */
  work = (transfers: TransferRow[]): Work[] => [
    ...transfers.map(this.#ofTransfer),
    ...(this.#batches.value ?? []).flatMap(this.#ofBatch),
    ...(this.dips.value ?? []).filter(({ state }) => state !== 'failed').map(this.#ofDip),
    ...(this.downloads.value ?? []).filter((download) => !isTroubled(download)).map(this.#ofDownload),
    ...(this.#checks.value ?? []).filter(({ state }) => state === 'working').map(this.#ofCheck),
  ]

  #ofTransfer = ({ id, name, state, bytes, isPaused }: TransferRow): Work => {
    const { transfers } = this.#desk
    const progress = this.#transferProgress.get(id)
    const isInBytes = state === 'packing' ? progress?.work !== 'sending' : progress?.work === 'sending'
    const known = isInBytes ? progress : undefined
    const amount = {
      files: { done: known?.files ?? 0, of: known?.ofFiles ?? 0 },
      bytes: known?.bytes ?? 0,
      ofBytes: known?.ofBytes ?? bytes,
      bytesPerSecond: isPaused ? 0 : (known?.bytesPerSecond ?? 0),
    }
    const words = say.deskPage.underWay
    const title = name || say.transfers.unnamed
    const act: Work['act'] =
      state === 'sending'
        ? { kind: 'stop', text: words.stop, run: () => transfers.cancel({ id }) }
        : isPaused
          ? { kind: 'go-on', text: words.goOn, run: () => transfers.goOn({ id }) }
          : { kind: 'pause', text: words.pause, run: () => transfers.pause({ id }) }
    return {
      id,
      title: state === 'sending' ? words.sending(title) : words.packing(title),
      href: addressOf('transfers', id),
      share: shareOf(amount.bytes, amount.ofBytes),
      note: [isPaused ? words.paused : '', noteOf(amount)].filter(Boolean).join(' · '),
      act,
    }
  }

  #ofBatch = ({ id, path, work }: BatchSummary): Work[] => {
    if (work === null) return []
    const words = say.deskPage.underWay
    return [
      {
        id,
        title: words.batch[work.kind](nameOnDisk(path)),
        href: addressOf('transfers', `batch:${id}`),
        share: shareOf(work.done, work.of),
        note: say.packing.batch.working[work.kind](work.done, work.of),
        act: { kind: 'stop', text: words.stop, run: () => this.#desk.batch.stop({ id }) },
      },
    ]
  }

  #ofDip = ({ id, order, label, stage, state, items }: Dissemination): Work => {
    const words = say.deskPage.underWay
    const fetched = items.filter((item) => item.state === 'copied' || item.state === 'there').length
    const isRunning = may('dissemination', 'stop', state)
    return {
      id,
      title: words.dip(label),
      href: addressOf('orders', order),
      share: shareOf(fetched, items.length),
      note: [
        state === 'stopped' ? words.stopped : stage === 'done' ? '' : say.dips.doing[stage],
        words.fetched(fetched, items.length),
      ]
        .filter(Boolean)
        .join(' · '),
      act: isRunning
        ? { kind: 'stop', text: words.stop, run: () => this.#desk.dips.stop({ id }) }
        : { kind: 'go-on', text: words.goOn, run: () => this.#desk.dips.goOn({ id }) },
    }
  }

  #ofDownload = (download: Download): Work => {
    const words = say.deskPage.underWay
    const progress = this.#downloadProgress.get(download.id)
    const { id, path, bytes } = download
    const isRunning = download.state === 'running'
    const bytesDone = Math.max(progress?.bytesDone ?? 0, download.bytesDone)
    const amount = {
      bytes: bytesDone,
      ofBytes: progress?.bytes ?? bytes,
      bytesPerSecond: isRunning ? (progress?.bytesPerSecond ?? 0) : 0,
    }
    return {
      id,
      title: words.fetching(nameIn(path)),
      href: addressOf('packages', download.package),
      share: shareOf(amount.bytes, amount.ofBytes),
      note: [isRunning ? '' : words.stopped, noteOf(amount)].filter(Boolean).join(' · '),
      act: isRunning
        ? { kind: 'stop', text: words.stop, run: () => this.#desk.files.stop({ id }) }
        : { kind: 'go-on', text: words.goOn, run: () => this.#desk.files.resume({ id }) },
    }
  }

  #ofCheck = ({ id, path, progress }: Check): Work => {
    const words = say.deskPage.underWay
    const { files, ofFiles, bytes, ofBytes } = progress
    return {
      id,
      title: words.checking(nameOnDisk(path)),
      href: addressOf('checks', id),
      share: shareOf(bytes, ofBytes),
      note: noteOf({
        files: { done: files, of: ofFiles },
        bytes,
        ofBytes,
        bytesPerSecond: this.#byteRates.of(id, bytes),
      }),
      act: { kind: 'stop', text: words.stop, run: () => bridge.checks.stop({ id }) },
    }
  }
}
