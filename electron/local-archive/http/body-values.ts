import { isRecord } from '../../common/records.ts'
import type { Body } from '../database.ts'

/** A value as records are looked up by it. */
export const keyOf = (value: unknown): string => String(value)

/** A text; nothing where it is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What a field holds that is a list; nothing where it is none. */
export const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The objects of a list. */
export const rowsIn = (value: unknown): Body[] => listIn(value).filter(isRecord)

/** The ids of a list, those that are numbers as text. */
export const idsIn = (value: unknown): string[] => listIn(value).map(keyOf)
