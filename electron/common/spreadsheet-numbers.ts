/**
 * How numbers of a style are shown by a spreadsheet: as moments, as how long something took, with so many
 * digits at least, or as they are.
 */
export type NumberStyle = { is: 'moment' | 'duration' | 'plain' } | { is: 'padded'; digits: number }

/** The style of a format by its number, where the workbook does not say what that is (ECMA-376, 18.8.30). */
export const builtInStyle = (id: number): NumberStyle => {
  if (id === 46) return { is: 'duration' }
  const isMoment =
    (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || id === 45 || id === 47 || (id >= 50 && id <= 58)
  return { is: isMoment ? 'moment' : 'plain' }
}

/** The style that a code of a workbook stands for, as "yyyy-mm-dd" (ECMA-376, 18.8.31). */
export const styleOf = (code: string): NumberStyle => {
  if (/^0+$/.test(code)) return { is: 'padded', digits: code.length }
  const letters = code.replace(/"[^"]*"|\\.|_.|\[(?![hms]+\])[^\]]*\]/gi, '')
  if (/\[[hms]+\]/i.test(letters)) return { is: 'duration' }
  return { is: /[ymdhs]/i.test(letters) ? 'moment' : 'plain' }
}

const secondsADay = 86_400
const secondMs = 1_000
/** After the last moment that a spreadsheet has, 31 December 9999. */
const endOfTime = Date.UTC(10_000, 0, 1)

/** A day, its time or both (ISO 8601), of the number that stands for it (18.17.4); undefined for none. */
const momentText = (days: number, isFrom1904: boolean): string | undefined => {
  // In the other system a 29 February 1900 is counted that never was.
  const begin = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  // How computers count may leave a moment a little before the second that it means.
  const moment = begin + Math.round(days * secondsADay) * secondMs
  if (days < 0 || moment >= endOfTime) return undefined
  const [day = '', time = ''] = new Date(moment).toISOString().split(/[T.]/)
  // That system has a day 0, which is a day.
  if (days < 1 && !(isFrom1904 && days === 0)) return time
  return time === '00:00:00' ? day : `${day}T${time}`
}

/** Hours, minutes and seconds of so many days. */
const durationText = (days: number): string => {
  const seconds = Math.round(days * secondsADay)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

/**
 * What a spreadsheet shows of a number for its style, moments as in ISO 8601; undefined where it is shown as
 * the number that it is.
 * @param isFrom1904 whether days are counted from 1904
 */
export const styledText = (
  value: number,
  style: NumberStyle | undefined,
  isFrom1904: boolean,
): string | undefined => {
  if (style?.is === 'moment') return momentText(value, isFrom1904)
  if (style?.is === 'duration' && value >= 0) return durationText(value)
  if (style?.is === 'padded' && Number.isInteger(value) && value >= 0)
    return String(value).padStart(style.digits, '0')
  return undefined
}
