type Encoded = null | boolean | number | string | { r: number } | { u: 1 } | { n: string } | { b: string }
interface Part {
  t: string
  v: unknown
}

/**
 * Structured clone as JSON text and back: keeps undefined, NaN, ±Infinity, -0, bigint, Date, RegExp, Map,
 * Set, Error, buffers, cycles and shared references. One self-contained function, since its text also runs
 * inside the page.
 */
export const makeCodec = () => {
  const toBase64 = (bytes: Uint8Array): string =>
    typeof Buffer !== 'undefined'
      ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
      : (bytes as unknown as { toBase64: () => string }).toBase64()
  const fromBase64 = (text: string): Uint8Array =>
    typeof Buffer !== 'undefined'
      ? new Uint8Array(Buffer.from(text, 'base64'))
      : (Uint8Array as unknown as { fromBase64: (text: string) => Uint8Array }).fromBase64(text)

  const encode = (value: unknown): string => {
    let root: unknown
    try {
      root = structuredClone(value)
    } catch {
      // Electron's own words.
      throw new Error('An object could not be cloned.')
    }
    const parts: Part[] = []
    const seen = new Map<object, number>()
    const written = (v: unknown): Encoded => {
      if (v === undefined) return { u: 1 }
      if (typeof v === 'number' && (!Number.isFinite(v) || Object.is(v, -0)))
        return { n: Object.is(v, -0) ? '-0' : String(v) }
      if (typeof v === 'bigint') return { b: String(v) }
      if (v === null || typeof v === 'boolean' || typeof v === 'number' || typeof v === 'string') return v
      const object = v
      const known = seen.get(object)
      if (known !== undefined) return { r: known }
      const index = parts.length
      seen.set(object, index)
      const part: Part = { t: 'O', v: null }
      parts.push(part)
      if (Array.isArray(object)) Object.assign(part, { t: 'A', v: Array.from(object, written) })
      else if (object instanceof Date) Object.assign(part, { t: 'D', v: written(object.getTime()) })
      else if (object instanceof RegExp) Object.assign(part, { t: 'R', v: [object.source, object.flags] })
      else if (object instanceof Map)
        Object.assign(part, { t: 'M', v: [...object].map(([key, item]) => [written(key), written(item)]) })
      else if (object instanceof Set) Object.assign(part, { t: 'S', v: [...object].map(written) })
      else if (object instanceof Error)
        Object.assign(part, {
          t: 'E',
          v: [
            object.name,
            object.message,
            object.stack ?? '',
            'cause' in object ? written(object.cause) : { u: 1 },
          ],
        })
      else if (object instanceof ArrayBuffer)
        Object.assign(part, { t: 'B', v: ['ArrayBuffer', toBase64(new Uint8Array(object))] })
      else if (ArrayBuffer.isView(object))
        Object.assign(part, {
          t: 'B',
          v: [
            object.constructor.name === 'Buffer' ? 'Uint8Array' : object.constructor.name,
            toBase64(new Uint8Array(object.buffer, object.byteOffset, object.byteLength)),
          ],
        })
      else part.v = Object.entries(object).map(([key, item]) => [key, written(item)])
      return { r: index }
    }
    return JSON.stringify([written(root), parts])
  }

  const decode = (text: string): unknown => {
    const [root, parts] = JSON.parse(text) as [Encoded, Part[]]
    const made: unknown[] = []
    const read = (encoded: Encoded): unknown => {
      if (encoded === null || typeof encoded !== 'object') return encoded
      if ('u' in encoded) return undefined
      if ('n' in encoded) return Number(encoded.n)
      if ('b' in encoded) return BigInt(encoded.b)
      return build(encoded.r)
    }
    const build = (index: number): unknown => {
      if (index in made) return made[index]
      const { t, v } = parts[index] as Part
      const list = v as Encoded[]
      if (t === 'A') {
        const array: unknown[] = []
        made[index] = array
        for (const item of list) array.push(read(item))
      } else if (t === 'D') made[index] = new Date(read(v as Encoded) as number)
      else if (t === 'R') made[index] = new RegExp(...(v as [string, string]))
      else if (t === 'M') {
        const map = new Map<unknown, unknown>()
        made[index] = map
        for (const [key, item] of v as [Encoded, Encoded][]) map.set(read(key), read(item))
      } else if (t === 'S') {
        const set = new Set<unknown>()
        made[index] = set
        for (const item of list) set.add(read(item))
      } else if (t === 'E') {
        const [name, message, stack, cause] = v as [string, string, string, Encoded]
        const kinds: Record<string, ErrorConstructor> = { TypeError, RangeError, SyntaxError, ReferenceError }
        const error = new (kinds[name] ?? Error)(message)
        made[index] = error
        error.stack = stack
        const reason = read(cause)
        if (reason !== undefined) error.cause = reason
      } else if (t === 'B') {
        const [name, base64] = v as [string, string]
        const { buffer } = fromBase64(base64)
        const Kind = (globalThis as unknown as Record<string, new (buffer: ArrayBufferLike) => unknown>)[name]
        made[index] = name === 'ArrayBuffer' || !Kind ? buffer : new Kind(buffer)
      } else {
        const object = {}
        made[index] = object
        for (const [key, item] of v as [string, Encoded][])
          Object.defineProperty(object, key, {
            value: read(item),
            writable: true,
            enumerable: true,
            configurable: true,
          })
      }
      return made[index]
    }
    return read(root)
  }

  return { encode, decode }
}
