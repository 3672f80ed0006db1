export type Language = 'en' | 'sv'

const locales: Record<Language, string> = { en: 'en-GB', sv: 'sv-SE' }

/** Keeps each formatter that was made once: to make one takes a hundred times as long as to use one. */
const kept = <Options, Format>(make: (locale: string, options: Options) => Format) => {
  const formats = new Map<string, Format>()
  return (language: Language, options: Options): Format => {
    const key = `${language} ${JSON.stringify(options)}`
    const format = formats.get(key) ?? make(locales[language], options)
    formats.set(key, format)
    return format
  }
}

const numberFormat = kept(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
)
const dateFormat = kept(
  (locale, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }),
)
const listFormat = kept((locale, options: Intl.ListFormatOptions) => new Intl.ListFormat(locale, options))

/** A moment by the clock of this computer, whose zone may be another one than when the program started. */
const local = (date: Date, language: Language, form: Intl.DateTimeFormatOptions): string =>
  dateFormat(language, form).format(date.getTime() - date.getTimezoneOffset() * 60_000)

export const number = (value: number, language: Language) => numberFormat(language, {}).format(value)

const units = ['kB', 'MB', 'GB', 'TB', 'PB']

/** A size in bytes as people write it: 1 kB is 1000 bytes; three digits where they help. */
export const size = (bytes: number, language: Language): string => {
  if (bytes < 1000) return `${number(bytes, language)} B`
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  const digits = value < 100 && power > 1 ? 1 : 0
  return `${numberFormat(language, { maximumFractionDigits: digits }).format(value)} ${units[power - 1]}`
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
  return local(date, language, form)
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
    : dateFormat(language, { dateStyle: 'long' }).format(date)
}

/** Today with its weekday: Monday 23 November. */
export const today = (language: Language, now = new Date()): string =>
  local(now, language, { weekday: 'long', day: 'numeric', month: 'long' }).replace(/^./, (first) =>
    first.toUpperCase(),
  )

export const longMoment = (iso: string | null, language: Language): string => {
  const date = new Date(iso ?? '')
  return Number.isNaN(date.getTime()) ? '—' : local(date, language, { dateStyle: 'long', timeStyle: 'short' })
}

/** A text of the archive as it stands on paper, where a moment is never without its day. */
export const onPaper = (text: string, language: Language): string => {
  if (isDay(text)) return day(text, language)
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)
    ? local(new Date(text), language, { dateStyle: 'medium', timeStyle: 'short' })
    : text
}

export const clockTime = (iso: string | null, language: Language): string => {
  const date = new Date(iso ?? '')
  return Number.isNaN(date.getTime()) ? '—' : local(date, language, { hour: '2-digit', minute: '2-digit' })
}

const inUnit = (unit: string, language: Language) =>
  numberFormat(language, { style: 'unit', unit, unitDisplay: 'short' })

export const duration = (seconds: number, language: Language): string =>
  seconds < 90
    ? inUnit('second', language).format(Math.max(1, Math.round(seconds)))
    : inUnit('minute', language).format(Math.round(seconds / 60))

export const percent = (share: number, language: Language) =>
  numberFormat(language, { style: 'percent' }).format(share)

/**
 * How a person says when something was: the time today, the day of the week within six days, else the date.
 */
export const weekday = (iso: string | null, language: Language, now = new Date()): string => {
  const date = new Date(iso ?? '')
  const dayMs = 86_400_000
  const isRecent = now.getTime() - date.getTime() < 6 * dayMs && date.toDateString() !== now.toDateString()
  return isRecent ? local(date, language, { weekday: 'long' }) : shortMoment(iso, language, now)
}

/** Words one after the other: "see, order and copy". */
export const listed = (words: readonly string[], language: Language) =>
  listFormat(language, { type: 'conjunction' }).format(words)
