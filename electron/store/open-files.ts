interface OpenFile {
  keepInMemory: (bytes: number) => void
  close: () => void
}

interface Parts<File extends OpenFile, More extends unknown[]> {
  open: (archive: string, file: string, ...more: More) => File
  /** So many stay open, though nobody works with them. */
  most: number
  /** How much of all of them together may stand in memory. */
  bytes: number
  /** Less would make one slow. */
  fewestBytes: number
  isIdle: (file: File) => boolean
}

/** The files of archives that a thread has open: those that were used last, which share the memory. */
export const openFiles = <File extends OpenFile, More extends unknown[] = []>({
  open,
  most,
  bytes,
  fewestBytes,
  isIdle,
}: Parts<File, More>) => {
  const files = new Map<string, File>()
  const share = () => {
    for (const file of files.values()) file.keepInMemory(Math.max(fewestBytes, bytes / files.size))
  }
  const close = (archive: string) => {
    const file = files.get(archive)
    files.delete(archive)
    file?.close()
  }
  return {
    of: (archive: string, name: string, ...more: More): File => {
      const known = files.get(archive)
      if (known) {
        files.delete(archive)
        files.set(archive, known)
        return known
      }
      const idle = [...files].filter(([, other]) => isIdle(other)).map(([other]) => other)
      for (const other of idle.slice(0, Math.max(0, files.size + 1 - most))) close(other)
      const file = open(archive, name, ...more)
      files.set(archive, file)
      share()
      return file
    },
    /** Gives each file its part of the memory anew. */
    share,
    known: (archive: string): File | undefined => files.get(archive),
    all: (): File[] => [...files.values()],
    close: (archive: string) => {
      close(archive)
      share()
    },
    closeAll: () => {
      for (const archive of [...files.keys()]) close(archive)
    },
  }
}
