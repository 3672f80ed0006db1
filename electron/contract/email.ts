/** Whether an address has a full domain; none at all is right too. */
export const isWholeEmail = (email: string) =>
  email.trim() === '' || /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email.trim())
