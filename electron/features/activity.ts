import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { activity as promised } from '../contract/activity.ts'
import type { Fulfils } from '../contract/define.ts'
import { onDisk } from '../packaging/disk.ts'
import type { Ask } from '../questions/questions.ts'
import type { Session } from '../session/session.ts'
import type { DeskStore } from '../store/desk.ts'

interface Parts {
  session: Session
  store: DeskStore
  ask: Ask
  chooseTarget: (what: 'journal', name: string) => Promise<string | undefined>
}

export const activity = ({ session, store, ask, chooseTarget }: Parts): Fulfils<typeof promised> => {
  const { journal } = store
  return {
    list: (which) => ask('activity', session.account().archive, which),
    check: () => journal.check(),
    export: async () => {
      const { archive } = session.account()
      const file = await chooseTarget('journal', 'journal.jsonl')
      if (file === undefined) return null
      await onDisk(file, () => pipeline(journal.texts(), createWriteStream(file)))
      const { count, head } = journal.check()
      // That it was taken along is a line of its own, which names how far it reached then.
      journal.write({ archive, act: 'journal.exported', name: '', place: '', detail: `${count} ${head}` })
      return count
    },
  }
}
