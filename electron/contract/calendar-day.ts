/** Whether a text is a day, as "2026-03-29": addresses and stored searches may say anything. */
export const isCalendarDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00`))

/** The same, or the empty text where there is no bound. */
export const isBound = (text: string): boolean => text === '' || isCalendarDay(text)
