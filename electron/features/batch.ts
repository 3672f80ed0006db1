import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { batch as promised } from '../contract/batch.ts'
import type { Fulfils } from '../contract/define.ts'
import type { openBatches } from '../outbox/batch.ts'
import { csvLine } from '../packaging/csv.ts'
import { onDisk } from '../packaging/disk.ts'
import type { Session } from '../session/session.ts'

interface Parts {
  session: Session
  batches: ReturnType<typeof openBatches>
  choose: (what: 'table' | 'batch-folder') => Promise<string[]>
  chooseTarget: (what: 'report', name: string) => Promise<string | undefined>
}

export const batch = ({ session, batches, choose, chooseTarget }: Parts): Fulfils<typeof promised> => ({
  list: () => batches.list(session.account().archive),
  one: ({ id }) => batches.one(id),
  open: async ({ what }) => {
    const [chosen] = await choose(what)
    return chosen === undefined
      ? null
      : batches.open(session.account().archive, what === 'table' ? 'table' : 'folder', chosen)
  },
  map: ({ id, mapping }) => batches.map(id, mapping),
  template: ({ id, transfer }) => batches.template(id, transfer),
  dryRun: ({ id }) => batches.dryRun(id),
  run: ({ id, send }) => batches.run(id, send),
  stop: ({ id }) => batches.stop(id),
  save: async ({ id }) => {
    const { path: table } = await batches.one(id)
    const target = await chooseTarget('report', `${path.basename(table, path.extname(table))}.report.csv`)
    if (target === undefined) return false
    const rows = await batches.report(id)
    const lines = function* () {
      yield csvLine([
        'line',
        'name',
        'source',
        'state',
        'transfer',
        'files',
        'folders',
        'bytes',
        'skipped',
        'troubles',
        'failure',
      ])
      for (const it of rows) {
        const { files = '', folders = '', bytes = '', skipped = '' } = it.counted ?? {}
        yield csvLine([
          it.line,
          it.name,
          it.source,
          it.stage ?? '',
          it.transfer ?? '',
          files,
          folders,
          bytes,
          skipped,
          it.troubles.join(' '),
          it.failure === null ? '' : JSON.stringify(it.failure),
        ])
      }
    }
    await onDisk(target, () => pipeline(lines, createWriteStream(target)))
    return true
  },
  remove: ({ id }) => batches.remove(id),
})
