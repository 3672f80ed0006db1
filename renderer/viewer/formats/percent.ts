/** What percent-encoding stands for (RFC 3986 2.1); where it is malformed, the text as it is written. */
export const decodePercent = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
