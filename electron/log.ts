import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'

const largestBytes = 5 * 1024 * 1024
const secretNames = /password|authorization|token|secret|cookie/i
const secretTexts = /\b(Token|Basic|Bearer)\s+[A-Za-z0-9+/=._-]{6,}/g

/** Strikes out whatever has a secret's name, and credentials inside texts. */
const withoutSecrets = (value: unknown, name = ''): unknown => {
  if (secretNames.test(name)) return '***'
  if (typeof value === 'string') return value.replace(secretTexts, '$1 ***')
  if (value instanceof Error)
    return {
      name: value.name,
      message: withoutSecrets(value.message),
      stack: withoutSecrets(value.stack),
      cause: withoutSecrets(value.cause),
    }
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSecrets(item, key)]))
  return value
}

/** A log of JSON lines in one file, with one older file beside it; secrets never reach it. */
export const openLog = (file: string, now: () => Date) => {
  mkdirSync(path.dirname(file), { recursive: true })
  const write = (level: string, room: string, message: string, about?: unknown) => {
    const line = JSON.stringify({
      time: now().toISOString(),
      level,
      room,
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
    named: (room: string) => ({
      info: (message: string, about?: unknown) => write('info', room, message, about),
      warn: (message: string, about?: unknown) => write('warn', room, message, about),
      error: (message: string, about?: unknown) => write('error', room, message, about),
    }),
  }
}
