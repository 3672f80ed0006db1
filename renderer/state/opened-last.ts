import { placeNames, type PlaceName } from './place.svelte.ts'
import { ListView } from './views.svelte.ts'

/** A record that somebody looked at. */
export interface Opened {
  place: PlaceName
  id: string
  /** Empty where nobody has named it. */
  title: string
  /** ISO time. */
  time: string
}

const mostKept = 8
const divider = '\t'
const listOf = () => new ListView('opened', { records: [] as string[] })

const read = (record: string): Opened | undefined => {
  const [place, id, time, ...title] = record.split(divider)
  const name = placeNames.find((known) => known === place)
  return name && id !== undefined && time !== undefined
    ? { place: name, id, time, title: title.join(' ') }
    : undefined
}

/** The records of this archive that were opened at this desk, the last of them first. */
export const openedLast = (): Opened[] => listOf().value.records.flatMap((record) => read(record) ?? [])

/** Notes that a record is being looked at, once it is known what it is called. */
export const noteOpened = (place: PlaceName, id: string, title: string | undefined): void => {
  if (title === undefined) return
  const list = listOf()
  const others = list.value.records.filter((record) => !record.startsWith([place, id, ''].join(divider)))
  const record = [place, id, new Date().toISOString(), title].join(divider)
  list.change({ records: [record, ...others].slice(0, mostKept) })
}

/** A record that is gone, or has another id now, was not opened. */
export const forgetOpened = (place: PlaceName, id: string): void => {
  const list = listOf()
  list.change({
    records: list.value.records.filter((record) => !record.startsWith([place, id, ''].join(divider))),
  })
}
