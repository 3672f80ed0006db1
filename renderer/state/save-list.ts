import type { ListToExport } from '../../electron/contract/exports.ts'
import { bridge } from '../bridge.svelte.ts'
import { say } from '../language/say.svelte.ts'
import { announcement } from './announce.svelte.ts'

/** Saves a list as a file, and says how much of it. */
export const saveList = async (list: ListToExport) => {
  try {
    const count = await bridge.exports.save(list)
    if (count !== null) announcement.say(say.lists.exported(count))
  } catch (error) {
    announcement.say(error instanceof Error ? say.failures.disk.other(list.name) : String(error))
  }
}
