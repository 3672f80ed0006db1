export type Language = 'en' | 'sv'

const locales: Record<Language, string> = { en: 'en-GB', sv: 'sv-SE' }

export const number = (value: number, language: Language) =>
  new Intl.NumberFormat(locales[language]).format(value)

const units = ['kB', 'MB', 'GB', 'TB', 'PB']

/** A size in bytes as people write it: 1 kB is 1000 bytes; three digits where they help. */
export const size = (bytes: number, language: Language): string => {
  if (bytes < 1000) return `${number(bytes, language)} B`
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  const digits = value < 100 && power > 1 ? 1 : 0
  return (
    `${new Intl.NumberFormat(locales[language], { maximumFractionDigits: digits }).format(value)} ` +
    `${units[power - 1]}`
  )
}

/** A moment as it stands in a list: the time today, the day this year, else the date. */
export const shortMoment = (iso: string | null, language: Language, now = new Date()): string => {
  const date = new Date(iso ?? '')
  if (Number.isNaN(date.getTime())) return '—'
  const isToday = date.toDateString() === now.toDateString()
  const form: Intl.DateTimeFormatOptions = isToday
    ? { hour: '2-digit', minute: '2-digit' }
    : date.getFullYear() === now.getFullYear()
      ? { day: 'numeric', month: 'short' }
      : { day: 'numeric', month: 'short', year: 'numeric' }
  return new Intl.DateTimeFormat(locales[language], form).format(date)
}

/**
 * A date that is a day and no moment: written without a time, or, as ESSArch writes days of long ago, as
 * midnight of its own zone ("1863-01-01T00:00:00+01:12:12").
 */
const aDay = /^(\d{4}-\d\d-\d\d)(T00:00(:00(\.0+)?)?(Z|[+-][\d:]+)?)?$/

/** Whether a value is a day, and neither a moment nor another text. */
export const isDay = (text: string): boolean => aDay.test(text)

/** A day as it was written, whichever zone the reader is in. */
export const day = (iso: string | null, language: Language): string => {
  const [, written] = aDay.exec(iso ?? '') ?? []
  const date = new Date(`${written ?? ''}T00:00:00Z`)
  return Number.isNaN(date.getTime())
    ? longMoment(iso, language)
    : new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' }).format(date)
}

/** Today with its weekday: Monday 23 November. */
export const today = (language: Language, now = new Date()): string =>
  new Intl.DateTimeFormat(locales[language], { weekday: 'long', day: 'numeric', month: 'long' })
    .format(now)
    .replace(/^./, (first) => first.toUpperCase())

export const longMoment = (iso: string | null, language: Language): string => {
  const date = new Date(iso ?? '')
  return Number.isNaN(date.getTime())
    ? '—'
    : new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeStyle: 'short' }).format(date)
}

/** A text of the archive as it stands on paper, where a moment is never without its day. */
export const onPaper = (text: string, language: Language): string => {
  if (isDay(text)) return day(text, language)
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)
    ? new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'short' }).format(
        new Date(text),
      )
    : text
}

export const clockTime = (iso: string | null, language: Language): string => {
  const date = new Date(iso ?? '')
  return Number.isNaN(date.getTime())
    ? '—'
    : new Intl.DateTimeFormat(locales[language], { hour: '2-digit', minute: '2-digit' }).format(date)
}

export const duration = (seconds: number, language: Language): string =>
  seconds < 90
    ? new Intl.NumberFormat(locales[language], {
        style: 'unit',
        unit: 'second',
        unitDisplay: 'short',
      }).format(Math.max(1, Math.round(seconds)))
    : new Intl.NumberFormat(locales[language], {
        style: 'unit',
        unit: 'minute',
        unitDisplay: 'short',
      }).format(Math.round(seconds / 60))

export const percent = (share: number, language: Language) =>
  new Intl.NumberFormat(locales[language], { style: 'percent' }).format(share)

/**
 * How a person says when something was: the time today, the day of the week within six days, else the date.
 */
export const weekday = (iso: string | null, language: Language, now = new Date()): string => {
  const date = new Date(iso ?? '')
  const dayMs = 86_400_000
  const isRecent = now.getTime() - date.getTime() < 6 * dayMs && date.toDateString() !== now.toDateString()
  return isRecent
    ? new Intl.DateTimeFormat(locales[language], { weekday: 'long' }).format(date)
    : shortMoment(iso, language, now)
}

/** Words one after the other: "see, order and copy". */
export const listed = (words: readonly string[], language: Language) =>
  new Intl.ListFormat(language === 'en' ? 'en-GB' : language, { type: 'conjunction' }).format(words)
