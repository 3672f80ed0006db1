import type { ListToExport } from '../../electron/contract/exports.ts'
import type { ArchiveDesk } from '../bridge.svelte.ts'
import { say } from '../language/say.svelte.ts'
import { announcement } from './announce.svelte.ts'
import { Command } from './command.svelte.ts'

const longestName = 150

/** The menu that orders it is closed by then: how it failed is said at the foot. */
const saving = new Command(announcement.fail)

/** Saves a list as a file, and says how much of it; one that has to be read first is given as its reading. */
export const saveList = (desk: ArchiveDesk, list: ListToExport | (() => Promise<ListToExport>)): void =>
  saving.run(async () => {
    const wanted = typeof list === 'function' ? await list() : list
    // What a package or a search is called may be longer than the name of a file.
    const count = await desk.exports.save({ ...wanted, name: wanted.name.slice(0, longestName) })
    if (count !== null) announcement.say(() => say.lists.exported(count))
  })
