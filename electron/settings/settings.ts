import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import * as v from 'valibot'
import { codeOf } from '../common/errors.ts'
import { Settings } from '../contract/settings.ts'
import { oneByOne, replaceFile } from '../replace-file.ts'

const defaults: Settings = {
  theme: 'system',
  language: 'system',
  notices: true,
  quiet: false,
  closeToTray: true,
  startWithSystem: false,
  // Nothing is asked of anybody but archives before a person says so.
  updates: false,
  proxy: 'system',
  proxyAddress: '',
  proxyScript: '',
}

/** What the file says; nothing where it is none, or is damaged. @throws the system's error */
const readWhole = (file: string): Record<string, unknown> => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {}
    throw error
  }
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? { ...read } : {}
  } catch {
    return {}
  }
}

/** Undefined where the disk does not give it now, for a program that must start all the same. */
const tryToRead = (file: string) => {
  try {
    return readWhole(file)
  } catch {
    return undefined
  }
}

/** What was chosen, key by key: a bad value falls back alone, and keys of a newer version are kept. */
const readable = (whole: Record<string, unknown>): Settings => {
  const kept = Object.entries(Settings.entries).filter(([key, schema]) => v.is(schema, whole[key]))
  return { ...defaults, ...Object.fromEntries(kept.map(([key]) => [key, whole[key]])) }
}

/**
 * The settings in one JSON file: written to a temporary name, synced and renamed, one writing after the
 * other.
 */
export const openSettings = (file: string) => {
  let whole = tryToRead(file)
  const inTurn = oneByOne()
  return {
    read: () => readable(whole ?? {}),
    /** @throws the system's error; then all is as it was */
    change: (some: Partial<Settings>): Promise<Settings> =>
      inTurn(async () => {
        // What was chosen before is not lost for having been out of reach.
        const next = { ...(whole ?? readWhole(file)), ...some }
        await mkdir(path.dirname(file), { recursive: true })
        await replaceFile(file, `${JSON.stringify(next, null, 2)}\n`, 0o600)
        whole = next
        return readable(whole)
      }),
  }
}
