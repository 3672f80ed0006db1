import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import * as v from 'valibot'
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

/** What the file says, key by key: a bad value falls back alone, and keys of a newer version are kept. */
const readWhole = (file: string): Record<string, unknown> => {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof read === 'object' && read !== null ? { ...read } : {}
  } catch {
    return {}
  }
}

const readable = (whole: Record<string, unknown>): Settings => {
  const kept = Object.entries(Settings.entries).filter(([key, schema]) => v.is(schema, whole[key]))
  return { ...defaults, ...Object.fromEntries(kept.map(([key]) => [key, whole[key]])) }
}

/**
 * The settings in one JSON file: written to a temporary name, synced and renamed, one writing after the
 * other.
 */
export const openSettings = (file: string) => {
  let whole = readWhole(file)
  const inTurn = oneByOne()
  return {
    read: () => readable(whole),
    change: async (some: Partial<Settings>): Promise<Settings> => {
      whole = { ...whole, ...some }
      await inTurn(async () => {
        await mkdir(path.dirname(file), { recursive: true })
        await replaceFile(file, `${JSON.stringify(whole, null, 2)}\n`, 0o600)
      })
      return readable(whole)
    },
  }
}
