/** As much as is kept while packages wait; what takes more room is removed at once. */
const mostBytes = 256 * 1024 * 1024

/**
 * What is left of packages that are preserved or refused. Of many small ones it is removed once none waits
 * any more: each removal would be time that the next one waits, and ext4 without a journal looks for a free
 * inode among all that were removed in the last minutes, whenever a file is made (`recently_deleted`). Where
 * a process is killed before, tidyWorking removes them.
 * @param remove removes a folder and everything in it
 */
export const openLeftovers = (remove: (folder: string) => Promise<unknown>) => {
  let folders: string[] = []
  let kept = 0
  const removeAll = async () => {
    const over = folders
    folders = []
    kept = 0
    await Promise.all(
      over.map((folder) =>
        remove(folder).catch((error: unknown) => console.error(`${folder} could not be removed:`, error)),
      ),
    )
  }
  return {
    /** @param bytes about as much as lies in it */
    add: async (folder: string, bytes: number) => {
      folders.push(folder)
      kept += bytes
      if (kept > mostBytes) await removeAll()
    },
    removeAll,
  }
}
