import { plainList as listIn, type PlainList } from '../listing.ts'
import { conventions } from './conventions.ts'

/** A list of the specification whose elements are one record each. */
export const plainList = <T extends { id: string | number }>(list: PlainList<T>) =>
  listIn(list, conventions.base)
