import path from 'node:path'
import type { Dialect } from '../dialects.ts'

/** Journeys on which the dialect of the archive has no part are taken with one dialect alone. */
export const takenOnlyWith: Record<Dialect, string[]> = {
  specification: ['keyboard', 'security', 'shell', 'third-dialect'],
  essarch: ['essarch', 'proxy', 'window'],
}

/** Journeys that show other pages with another dialect. */
const showingOtherPages = ['bags', 'whole-road']

const nameOf = (file: string) => path.basename(file, '.e2e.ts')

/** Whether a journey shows pages with a dialect that the same journey does not show with the other one. */
export const showsOwnPages = (dialect: Dialect, file: string): boolean =>
  dialect === 'specification' ||
  takenOnlyWith.essarch.includes(nameOf(file)) ||
  showingOtherPages.includes(nameOf(file))
