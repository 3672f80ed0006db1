import { number } from './formatters.ts'
import type { Widened } from './reading-room.en.ts'
import { termsEn } from './terms.en.ts'

/** The guide inside, and what is said around it. */
export const helpEn = {
  help: {
    open: 'Guide to this place',
    button: 'Guide',
    contents: 'Contents of the guide',
    toContents: 'All pages of the guide',
    search: 'Look in the guide',
    found: (count: number) => (count === 1 ? '1 place found' : `${number(count, 'en')} places found`),
    none: (typed: string) => `The guide says nothing of “${typed}”.`,
    noneTeach: 'Try one word, or the beginning of one.',
    missing: 'The guide has no such page.',
    missingTeach: 'It may have another name now. Look for it among the pages.',
    next: 'Next:',
    more: 'More in the guide',
    whatIs: (word: string) => `What is this: ${word}`,
  },
  about: {
    title: 'About Lectern',
    what:
      'The desk of a reading room: packages, copies, transfers and orders in an archival preservation ' +
      'service.',
    licence: 'Licence',
    others: 'What it is made of',
    othersHint:
      'These packages are part of the program. The licences of Electron and Chromium lie beside the ' +
      'program ' +
      'as files.',
  },
  diagnostics: {
    title: 'Diagnostics',
    hint:
      'A file for whoever helps you: versions, settings, counts, and how things failed. It names no ' +
      'archive, no person, no package and no folder. You see all of it before it is saved, and it is sent ' +
      'nowhere.',
    show: 'Show what would be in it',
    save: 'Save as a file',
    saved: 'The diagnostics are saved.',
  },
  updates: {
    wanted: 'Ask once a day whether there is a newer version',
    wantedHint: 'It says nothing of you, and downloads nothing.',
    newer: (version: string) => `There is a newer version: ${version}`,
  },
  terms: termsEn,
} as const

export type HelpWords = Widened<typeof helpEn>
