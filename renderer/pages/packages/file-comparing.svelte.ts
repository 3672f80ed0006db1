import { untrack } from 'svelte'
import type { FileComparison } from '../../../electron/contract/comparisons.ts'
import type { ArchiveDesk } from '../../bridge.svelte.ts'
import { capabilities } from '../../state/capabilities.svelte.ts'
import { Command } from '../../state/command.svelte.ts'
import { stopAll } from '../../state/stop-all.ts'
import type { Pair } from './comparison-address.ts'

/** The files of two packages as they are compared, from when its page is opened. */
export class FileComparing {
  readonly pair: Pair
  readonly asking = new Command()
  told = $state.raw<FileComparison>()
  #desk: ArchiveDesk

  constructor(desk: ArchiveDesk, pair: Pair) {
    this.#desk = desk
    this.pair = pair
    const isUnsaid = $derived(this.isUnsaid)
    $effect(() => {
      if (isUnsaid) return undefined
      // What a person stopped stays so, whatever else becomes known.
      untrack(() => this.told === undefined && this.again())
      return stopAll([
        desk.comparisons.progress((comparison) => {
          if (comparison.former === pair.former && comparison.later === pair.later) this.told = comparison
        }),
        // What was found is still so, unless one of the two changed.
        desk.packages.changed(() => this.isDone && this.again()),
      ])
    })
  }

  /** Whether the archive never tells which files lie in a package. */
  get isUnsaid(): boolean {
    return capabilities.now?.packages.files === false
  }

  get isDone(): boolean {
    return this.told?.state === 'done'
  }

  again = (): void =>
    this.asking.change(async () => {
      this.told = await this.#desk.comparisons.begin(this.pair)
    })

  stop = (): Promise<void> => this.#desk.comparisons.stop(this.pair)
}
