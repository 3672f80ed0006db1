/**
 * When a day begins by the clock of this computer, or the one so many days later, in milliseconds since 1970.
 * Two days of each year are not 24 hours long.
 * @param day "2026-03-29"; one that no month has, as an address may say, is so many days later
 */
export const startOfDay = (day: string, later = 0): number => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const start = new Date(0)
  start.setFullYear(year, month - 1, date + later)
  return start.setHours(0, 0, 0, 0)
}
