/**
 * As much is kept while packages wait, counted generously, and more where the disk has room: a small part of
 * what is free. What takes more space than that is removed meanwhile.
 */
const alwaysKeptBytes = 128 * 1024 * 1024
const partOfFree = 1 / 64
/** What a folder and its tag files take at least, and each file of the payload beside its content. */
const perFolder = 32 * 1024
const perFile = 4 * 1024
/** So many folders are removed before somebody looks whether a package waits. */
const mostAtOnce = 32

/**
 * What is left of packages that are preserved or refused, which is removed once none waits: each removal is
 * time that the next package waits, and ext4 without a journal looks for a free inode among all that were
 * removed in the last minutes, whenever a file is made (`recently_deleted`). Where a process ends before,
 * tidyWorking removes them.
 * @param remove removes folders and everything in them
 * @param freeBytes what is free on the disk that they lie on; 0 where that is not known
 */
export const openLeftovers = (
  remove: (folders: string[]) => Promise<unknown>,
  freeBytes: () => Promise<number>,
) => {
  const folders: { folder: string; takes: number }[] = []
  let kept = 0
  /** Removes some of them. @returns false where nothing was left */
  const removeSome = async (): Promise<boolean> => {
    const some = folders.splice(0, mostAtOnce)
    for (const { takes } of some) kept -= takes
    if (some.length > 0) await remove(some.map(({ folder }) => folder))
    return some.length > 0
  }
  return {
    /** @param counted the payload that lies in it, where there is some */
    add: async (folder: string, counted: { files: number; bytes: number }) => {
      const takes = perFolder + counted.bytes + counted.files * perFile
      folders.push({ folder, takes })
      kept += takes
      while (kept > alwaysKeptBytes && kept > (await freeBytes()) * partOfFree && (await removeSome()))
        continue
    },
    removeSome,
  }
}
