type Language = 'en' | 'sv'
const locale = (language: Language) => (language === 'sv' ? 'sv-SE' : 'en-GB')

/** Formats are dear to make, and cheap to use. */
const formats = new Map<string, Intl.NumberFormat>()
const formatOf = (language: Language, maximumFractionDigits: number) => {
  const key = `${language}${maximumFractionDigits}`
  const format = formats.get(key) ?? new Intl.NumberFormat(locale(language), { maximumFractionDigits })
  formats.set(key, format)
  return format
}

/** A number with its thousands apart. */
export const countIn = (language: Language, count: number) => formatOf(language, 0).format(count)

const units = ['B', 'kB', 'MB', 'GB', 'TB']

/** A length in the largest unit of which there is one whole. */
export const sizeIn = (language: Language, bytes: number) => {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const value = bytes / 1000 ** power
  const digits = value < 10 && power > 0 ? 1 : 0
  return `${formatOf(language, digits).format(value)} ${units[power] ?? ''}`
}

/** How dates with their time are written; for many dates. */
export const timeFormat = (language: Language, timeZone?: string) => {
  const format = new Intl.DateTimeFormat(locale(language), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  })
  return (time: Date | undefined) => (time && !Number.isNaN(time.getTime()) ? format.format(time) : '')
}

/** Hours, minutes and seconds, as players count them. */
export const clockOf = (seconds: number) => {
  if (!Number.isFinite(seconds)) return ''
  const whole = Math.floor(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
