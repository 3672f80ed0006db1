import path from 'node:path'
import type { Archive } from '../archives/archive.ts'
import type { batch as promised } from '../contract/batch.ts'
import type { Fulfils } from '../contract/define.ts'
import type { Batches } from '../jobs/kinds/batch/batches.ts'
import { csvLine } from '../packaging/csv.ts'
import { onDisk } from '../packaging/disk.ts'
import { replaceFile } from '../replace-file.ts'

interface Parts {
  batches: Batches
  choose: (what: 'table' | 'batch-folder') => Promise<string[]>
  chooseTarget: (what: 'report', name: string) => Promise<string | undefined>
}

export const batch = ({ batches, choose, chooseTarget }: Parts): Fulfils<typeof promised, [Archive]> => ({
  list: (archive) => batches.list(archive.id),
  one: (_archive, { id, offset }) => batches.one(id, offset),
  open: async (archive, { what }) => {
    const [chosen] = await choose(what)
    return chosen === undefined
      ? null
      : batches.open(archive.id, what === 'table' ? 'table' : 'folder', chosen)
  },
  map: (_archive, { id, mapping }) => batches.map(id, mapping),
  template: (_archive, { id, transfer }) => batches.template(id, transfer),
  count: (_archive, { id }) => batches.count(id),
  run: (_archive, { id, send }) => batches.run(id, send),
  stop: (_archive, { id }) => batches.stop(id),
  save: async (_archive, { id }) => {
    const table = batches.pathOf(id)
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
      for (const row of rows) {
        const { files = '', folders = '', bytes = '', skipped = '' } = row.counted ?? {}
        yield csvLine([
          row.line,
          row.name,
          row.source,
          row.state ?? '',
          row.transfer ?? '',
          files,
          folders,
          bytes,
          skipped,
          row.troubles.join(' '),
          row.failure === null ? '' : JSON.stringify(row.failure),
        ])
      }
    }
    await onDisk(target, () => replaceFile(target, lines()))
    return true
  },
  remove: (_archive, { id }) => batches.remove(id),
})
