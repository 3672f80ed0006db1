/** What a step of a test needs to be there: it does not go on with nothing. */
export const present = <T>(value: T | null | undefined): T => {
  if (value === undefined || value === null) throw new Error('What this test goes on with is not there')
  return value
}
