import * as v from 'valibot'

/** Whether a text is a day, as "2026-03-29": addresses and stored searches may say anything. */
export const isCalendarDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00`))

/** One end of a span of days: such a day, or the empty text where the span has no end there. */
export const dayBound = v.pipe(
  v.string(),
  v.check((text) => text === '' || isCalendarDay(text)),
)
