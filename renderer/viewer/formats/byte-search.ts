/** What is looked for: bytes where it is written as such ("ff d8 ff"), else a text. */
export const wantedBytes = (words: string) => {
  const bytes = /^\s*[0-9a-f]{2}(\s+[0-9a-f]{2})*\s*$/i.test(words) ? words.trim().split(/\s+/) : undefined
  return bytes ? Uint8Array.from(bytes, (byte) => parseInt(byte, 16)) : new TextEncoder().encode(words)
}

/**
 * Where wanted bytes stand in a part of a file.
 * @param from where the part begins
 */
export const placesIn = (bytes: Uint8Array, wanted: Uint8Array, from: number) => {
  const [first = 0] = wanted
  const places: number[] = []
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1))
    if (wanted.every((byte, step) => bytes[at + step] === byte)) places.push(from + at)
  return places
}
