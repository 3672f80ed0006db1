import { mkdirSync, readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import path from 'node:path'
import * as v from 'valibot'
import { Settings } from '../contract/settings.ts'

const defaults: Settings = {
  theme: 'system',
  language: 'system',
  notices: true,
  quiet: false,
  closeToTray: true,
  startWithSystem: false,
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

/** The settings in one JSON file: written to a temporary name, synced and renamed, one writing after the other. */
export const openSettings = (file: string) => {
  mkdirSync(path.dirname(file), { recursive: true })
  let whole = readWhole(file)
  let writing = Promise.resolve()
  const write = async () => {
    const handle = await open(`${file}.new`, 'w', 0o600)
    await handle.writeFile(`${JSON.stringify(whole, null, 2)}\n`)
    await handle.sync()
    await handle.close()
    await rename(`${file}.new`, file)
  }
  return {
    read: () => readable(whole),
    change: async (some: Partial<Settings>): Promise<Settings> => {
      whole = { ...whole, ...some }
      writing = writing.then(write, write)
      await writing
      return readable(whole)
    },
  }
}
