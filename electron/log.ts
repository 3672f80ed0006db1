import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'

const largestBytes = 5 * 1024 * 1024
const secretNames = /password|authorization|token|secret|cookie/i
const secretTexts = /\b(Token|Basic|Bearer)\s+[A-Za-z0-9+/=._-]{6,}/g

/** What lies deeper is cut. */
const deepest = 20
const cut = '…'

/**
 * Strikes out whatever has a secret's name, and credentials inside texts. What lies in itself has no end: it
 * is written once.
 */
const withoutSecrets = (value: unknown, name = '', written = new Set<unknown>(), depth = 0): unknown => {
  if (secretNames.test(name)) return '***'
  if (typeof value === 'string') return value.replace(secretTexts, '$1 ***')
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest || written.has(value)) return cut
  written.add(value)
  const inside = (part: unknown, called = '') => withoutSecrets(part, called, written, depth + 1)
  if (value instanceof Error)
    return {
      name: value.name,
      message: inside(value.message),
      stack: inside(value.stack),
      cause: inside(value.cause),
    }
  if (Array.isArray(value)) return value.map((item) => inside(item))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(item, key)]))
}

/** A log of JSON lines in one file, with one older file beside it; secrets never reach it. */
export const openLog = (file: string, now: () => Date) => {
  mkdirSync(path.dirname(file), { recursive: true })
  const write = (level: string, source: string, message: string, about?: unknown) => {
    const line = JSON.stringify({
      time: now().toISOString(),
      level,
      source,
      message: withoutSecrets(message),
      about: withoutSecrets(about),
    })
    try {
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > largestBytes) renameSync(file, `${file}.1`)
      appendFileSync(file, `${line}\n`, { mode: 0o600 })
    } catch {
      // A log that cannot be written must not stop the desk.
    }
  }
  return {
    file,
    named: (source: string) => ({
      info: (message: string, about?: unknown) => write('info', source, message, about),
      warn: (message: string, about?: unknown) => write('warn', source, message, about),
      error: (message: string, about?: unknown) => write('error', source, message, about),
    }),
  }
}
