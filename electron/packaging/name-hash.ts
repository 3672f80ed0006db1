/**
 * A number of 53 bits for a name: the same name always gives the same, different ones hardly ever. (cyrb53,
 * after MurmurHash's mixing.)
 */
export const nameHash = (name: string): number => {
  let low = 0xdeadbeef
  let high = 0x41c6ce57
  for (let index = 0; index < name.length; index += 1) {
    const unit = name.charCodeAt(index)
    low = Math.imul(low ^ unit, 2654435761)
    high = Math.imul(high ^ unit, 1597334677)
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  return 4294967296 * (2097151 & high) + (low >>> 0)
}

/**
 * A list of numbers that takes eight bytes each, however many there are.
 * @param expected how many there may be; memory is taken by the system as they come, so this may be generous
 */
export const numberList = (expected = 1_024) => {
  let numbers = new Float64Array(expected)
  let length = 0
  return {
    push: (value: number) => {
      if (length === numbers.length) {
        const larger = new Float64Array(length * 2)
        larger.set(numbers)
        numbers = larger
      }
      numbers[length] = value
      length += 1
    },
    all: () => numbers.subarray(0, length),
  }
}

/** How often numbers of a sorted list repeat one before them, and the first of those that do. */
export const repeatedIn = (sorted: Float64Array, most: number): { count: number; first: Set<number> } => {
  const first = new Set<number>()
  let count = 0
  for (let index = 1; index < sorted.length; index += 1) {
    if (sorted[index] !== sorted[index - 1]) continue
    count += 1
    if (first.size < most) first.add(sorted[index] ?? 0)
  }
  return { count, first }
}
