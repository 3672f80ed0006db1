import { serializationOf } from '../../entries/entries.ts'
import type { FoundEntry } from '../../entries/found-entry.ts'
import { nameSum, newSecret } from '../../entries/name-table.ts'
import type { PackagePlace } from '../../entries/package-files.ts'
import { notingUnread } from '../../findings.ts'
import { fileNames, walkPackage, type WalkListener } from '../../entries/walk-package.ts'
import { tagNames } from './tag-names.ts'

/**
 * Walks everything that is there: counts the payload, gathers the names of tag files, and where things lie in
 * a container.
 * @returns undefined where it is none of the serializations, or the gate was closed
 * @throws ContainerError, TooManyNames
 */
export const walkBag = (bag: string, listener: WalkListener) => {
  const tags = tagNames(listener.found)
  const secret = newSecret()
  const names = serializationOf(bag) === 'folder' ? nameSum(secret) : undefined
  let hasPayload = false
  const counts = { files: 0, folders: 0, bytes: 0 }
  const visit = (name: string, { kind, bytes, trouble }: FoundEntry) => {
    const isPayload = name.startsWith('data/')
    hasPayload ||= isPayload || (kind === 'folder' && name === 'data')
    if (kind !== 'file') {
      if (isPayload) counts.folders += 1
    } else if (isPayload) {
      counts.files += 1
      counts.bytes += bytes
      if (!trouble) names?.add(name)
    } else if (!trouble) tags.add(name)
  }
  const { found, hasUnread } = notingUnread(listener.found)
  const place = walkPackage(bag, { ...listener, found }, visit)
  if (!place) return undefined
  const kept = tags.all()
  return {
    place,
    /** Whether all of it could be read: else what was not seen may be there. */
    isWhole: !hasUnread(),
    hasPayload,
    counts,
    secret,
    /** The names of the payload; undefined in a container, where no two names are one file. */
    names,
    /** The tag files that a check reads, and the names of all of them. */
    known: tags.known,
    tags: () => kept ?? tagsOf(place),
  }
}
export type BagContents = NonNullable<ReturnType<typeof walkBag>>

/** Names of the files of the payload; `unread` hears of what cannot be read by now. */
export function* payloadOf(place: PackagePlace, unread?: (name: string) => void): Generator<string> {
  for (const name of fileNames(place, unread)) if (name.startsWith('data/')) yield name
}

function* tagsOf(place: PackagePlace): Generator<string> {
  for (const name of fileNames(place)) if (!name.startsWith('data/')) yield name
}
