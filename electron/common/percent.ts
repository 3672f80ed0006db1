/** What percent-encoding stands for (RFC 3986 2.1), or undefined where it is malformed. */
export const decodePercent = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
