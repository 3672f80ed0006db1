const textAt = (bytes: Uint8Array, at: number, length: number) =>
  new TextDecoder('latin1').decode(bytes.subarray(at, at + length))

/**
 * What a colour profile calls itself (ICC.1, the tag "desc").
 * @returns empty where it has no name, or is no profile
 */
export const profileName = (profile: Uint8Array<ArrayBuffer>): string => {
  if (profile.length < 132) return ''
  const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength)
  const count = Math.min(100, view.getUint32(128))
  for (let index = 0; index < count; index += 1) {
    const entry = 132 + index * 12
    if (entry + 12 > profile.length) return ''
    if (textAt(profile, entry, 4) !== 'desc') continue
    const at = view.getUint32(entry + 4)
    if (at + 28 > profile.length) return ''
    if (textAt(profile, at, 4) === 'desc')
      return textAt(profile, at + 12, Math.min(200, view.getUint32(at + 8) - 1))
    const [length, place] = [Math.min(400, view.getUint32(at + 20)), view.getUint32(at + 24)]
    return new TextDecoder('utf-16be')
      .decode(profile.subarray(at + place, at + place + length))
      .replace(/\0/g, '')
  }
  return ''
}
