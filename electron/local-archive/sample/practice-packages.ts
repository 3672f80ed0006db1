import packages from '../../../resources/sample/packages.json' with { type: 'json' }
import type { Body, Database } from '../database.ts'
import { stableId } from './stable-id.ts'

/** A package of the sample whose files are carried along. */
export type PracticePackage = (typeof packages)[number]

/** One generation of it: `nth` counts from 1. */
export interface PracticeGeneration {
  item: PracticePackage
  generation: PracticePackage['generations'][number]
  nth: number
}

/** The id that a generation has in every practice archive. */
export const practiceId = (identifier: string, nth: number): string =>
  stableId(`practice ${identifier} ${nth}`)

/** What the archive does not have yet, in the order in which it comes. */
export const missingGenerations = ({ has }: Database): PracticeGeneration[] =>
  packages
    .flatMap((item) => item.generations.map((generation, index) => ({ item, generation, nth: index + 1 })))
    .filter(({ item, nth }) => !has('information package', practiceId(item.identifier, nth)))

/** Where in the description a package stands: the archive of whoever made it. */
export const archiveOf = ({ list }: Database, { archivist }: PracticePackage): Body | undefined =>
  list('tag').find(({ name }) => name === `${archivist}, archive`)
