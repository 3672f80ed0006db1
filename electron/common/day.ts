/**
 * When a day begins by the clock of this computer, or the one so many days later, in milliseconds since 1970.
 * Two days of each year are not 24 hours long.
 * @param day "2026-03-29"
 */
export const startOfDay = (day: string, later = 0): number => {
  const start = new Date(`${day}T00:00:00`)
  start.setDate(start.getDate() + later)
  return start.getTime()
}
