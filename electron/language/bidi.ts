/**
 * Formatting characters that change the direction of what follows: embeddings, overrides and isolates
 * (Unicode UAX #9, 2.1 to 2.4).
 */
const marks = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * A text of foreign origin in which the marks of direction are seen instead of obeyed: `ann⟨U+202E⟩gpj.exe`,
 * which else looks
 * like `annexe.jpg`. A text without them is given back as it is.
 */
export const withVisibleMarks = (text: string) =>
  text.replace(marks, (mark) => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase()}⟩`)
