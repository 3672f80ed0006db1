/**
 * Looks for a name among many: for that very name, else for the first that is the same in Unicode's normal
 * form (NFC), which may be another file's.
 */
export const openNameSearch = <Named>(wanted: string) => {
  const composed = wanted.normalize('NFC')
  let exact: { named: Named } | undefined
  let respelled: { named: Named } | undefined
  return {
    /** @returns whether that very name was seen: nothing better follows */
    see: (name: string, named: Named): boolean => {
      if (name === wanted) exact ??= { named }
      else if (name.normalize('NFC') === composed) respelled ??= { named }
      return exact !== undefined
    },
    /** What has the name; undefined where nothing has. */
    found: (): Named | undefined => (exact ?? respelled)?.named,
  }
}
