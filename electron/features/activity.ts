import type { Archive } from '../archives/archive.ts'
import type { activity as promised } from '../contract/activity.ts'
import type { Fulfils } from '../contract/define.ts'
import { onDisk } from '../packaging/disk.ts'
import type { Ask } from '../questions/questions.ts'
import { replaceFile } from '../replace-file.ts'
import type { DeskStore } from '../store/desk/desk-store.ts'

interface Parts {
  store: DeskStore
  ask: Ask
  chooseTarget: (what: 'journal', name: string) => Promise<string | undefined>
}

export const activity = ({ store, ask, chooseTarget }: Parts): Fulfils<typeof promised, [Archive]> => {
  const { journal } = store
  return {
    list: (archive, which) => ask('activity', archive.id, which),
    facet: ({ id }, which) => ask('activityFacet', id, which),
    uniform: ({ id }, which) => ask('activityUniform', id, which),
    check: () => journal.check(),
    export: async ({ id: archive }) => {
      const file = await chooseTarget('journal', 'journal.jsonl')
      if (file === undefined) return null
      await onDisk(file, () => replaceFile(file, journal.texts()))
      const { count, head } = journal.check()
      // That it was taken along is a line of its own, which names how far it reached then.
      journal.write({ archive, act: 'journal.exported', name: '', place: '', detail: `${count} ${head}` })
      return count
    },
  }
}
