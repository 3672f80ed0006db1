/** What is kept of something that is asked for by a name; undefined bytes while it is made. */
interface Kept<Value> {
  value: Promise<Value>
  bytes: number | undefined
}

/**
 * Keeps what was made of late, so that what is asked for twice is made once. What was used longest ago is let
 * go of where it is more than so many bytes; what failed is not kept.
 */
export const openLruCache = <Value>(mostBytes: number, bytesOf: (value: Value) => number) => {
  const kept = new Map<string, Kept<Value>>()
  let sum = 0
  const trim = (newest: string) => {
    for (const [key, { bytes }] of kept) {
      if (sum <= mostBytes) return
      if (key === newest || bytes === undefined) continue
      kept.delete(key)
      sum -= bytes
    }
  }
  return (key: string, make: () => Promise<Value>): Promise<Value> => {
    const found = kept.get(key)
    kept.delete(key)
    const entry: Kept<Value> = found ?? { value: make(), bytes: undefined }
    kept.set(key, entry)
    if (found) return found.value
    const count = (value: Value) => {
      entry.bytes = bytesOf(value)
      sum += entry.bytes
      trim(key)
    }
    entry.value.then(count, () => kept.delete(key))
    return entry.value
  }
}
