import type { PackageRow, PackageWork } from '../../../electron/contract/packages.ts'
import { say, shown } from '../../language/say.svelte.ts'

/** What is preserved or plainly named stays plain; work under way and failures carry a chip. */
export const toneOf: Record<PackageWork, 'plain' | 'warn' | 'bad'> = {
  none: 'plain',
  'under way': 'warn',
  failed: 'bad',
}

/** What a package is at; of one that the archive could not go on with that it stopped, whatever it was at. */
export const stateTextOf = ({ state, work }: Pick<PackageRow, 'state' | 'work'>): string =>
  work === 'failed' ? say.packages.works.failed : shown.word(state)
