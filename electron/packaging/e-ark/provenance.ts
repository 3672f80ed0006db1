import type { Label, Provenance } from '../format.ts'

/** A day, a month or a year (ISO 8601). */
const isoDate = /^(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?$/

const dayOf = (written: string, whichDay: 'first' | 'last'): string => {
  const [, year, month, day] = isoDate.exec(written.trim()) ?? []
  if (year === undefined) return ''
  if (day !== undefined && month !== undefined) return `${year}-${month}-${day}`
  if (whichDay === 'first') return `${year}-${month ?? '01'}-01`
  const last = new Date(0)
  last.setUTCFullYear(Number(year), month === undefined ? 12 : Number(month), 0)
  return last.toISOString().slice(0, 10)
}

/**
 * The first and the last day of a date as people write it in Dublin Core: a day, month or year, or two of
 * them with a solidus or a dash between (ISO 8601); empty where it says something else.
 */
const daysOf = (date: string): Pick<Provenance, 'start' | 'end'> => {
  const [from = '', to = from, ...more] = date.split(/\s*[/–]\s*|\s+-\s+|(?<=^\s*\d{4})-(?=\d{4}\s*$)/)
  const [start, end] = [dayOf(from, 'first'), dayOf(to, 'last')]
  const isPeriod = start !== '' && end !== '' && start <= end && more.length === 0
  return isPeriod ? { start, end } : { start: '', end: '' }
}

/** Where a package comes from, by what its METS and Dublin Core say. */
export const provenanceOf = ({ version, info }: { version: string; info: Label[] }): Provenance => {
  const values = new Map(info)
  return {
    type: `E-ARK SIP ${version}`,
    software: values.get('CREATOR SOFTWARE') ?? '',
    archivist: values.get('ARCHIVIST ORGANIZATION') ?? '',
    ...daysOf(values.get('dc:date') ?? ''),
  }
}
