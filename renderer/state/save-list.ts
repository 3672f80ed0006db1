import type { ListToExport } from '../../electron/contract/exports.ts'
import type { ArchiveDesk } from '../bridge.svelte.ts'
import { say } from '../language/say.svelte.ts'
import { announcement } from './announce.svelte.ts'

/** Saves a list as a file, and says how much of it. */
export const saveList = async (desk: ArchiveDesk, list: ListToExport) => {
  try {
    const count = await desk.exports.save(list)
    if (count !== null) announcement.say(say.lists.exported(count))
  } catch (error) {
    announcement.say(error instanceof Error ? say.failures.disk.other(list.name) : String(error))
  }
}
