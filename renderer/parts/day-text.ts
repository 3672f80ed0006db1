/** Which day a year or a month stands for: where a time begins, or where it ends. */
export type Edge = 'first' | 'last'

const isDay = (text: string) => {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/**
 * The day that was typed, as "1938-05-14"; of a year or a month its first or last. Nothing is nothing.
 * @returns undefined for what is no day
 */
export const readDay = (typed: string, edge: Edge): string | undefined => {
  const text = typed.trim()
  if (text === '') return ''
  const [, year, month, day] = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(text) ?? []
  if (year === undefined) return undefined
  const ofMonth = month ?? (edge === 'first' ? '01' : '12')
  const lastOfMonth = new Date(Date.UTC(Number(year), Number(ofMonth), 0)).getUTCDate()
  const whole = `${year}-${ofMonth}-${day ?? (edge === 'first' ? '01' : String(lastOfMonth))}`
  return isDay(whole) ? whole : undefined
}
