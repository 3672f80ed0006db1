import path from 'node:path'
import type { Dialect } from '../archives/dialects.ts'

/** Files of journeys on which the dialect of the archive has no part: each is taken with one alone. */
export const takenOnlyWith: Record<Dialect, string[]> = {
  specification: [
    'access-tree',
    'focus',
    'keyboard',
    'looks',
    'practice',
    'screen-reader',
    'security',
    'shell',
    'third-dialect',
  ],
  essarch: ['essarch', 'notices', 'proxy', 'window'],
}

/** The same for single journeys, as a tag of theirs. They are parted so that both runs take equally long. */
export const aloneWith: Record<Dialect, string> = {
  specification: '@specification-alone',
  essarch: '@essarch-alone',
}

/** Journeys that show other pages with another dialect. */
const showingOtherPages = ['bags', 'whole-road']

const nameOf = (file: string) => path.basename(file, '.e2e.ts')

/** Whether a journey shows pages with a dialect that the same journey does not show with the other one. */
export const showsOwnPages = (dialect: Dialect, file: string, tags: string[]): boolean =>
  dialect === 'specification' ||
  tags.includes(aloneWith.essarch) ||
  takenOnlyWith.essarch.includes(nameOf(file)) ||
  showingOtherPages.includes(nameOf(file))
