import { needed, type CreatingPart, type Dialect } from '../../../dialects/dialect.ts'

/** How records come into being at an archive. @throws Failed not-allowed where it lets nobody create */
export type CreatingAt = (archive: string) => CreatingPart

export const openCreating =
  (dialectOf: (archive: string) => Dialect): CreatingAt =>
  (archive) =>
    needed(dialectOf(archive).creating)
