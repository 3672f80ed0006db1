import path from 'node:path'
import { openLocalCopy } from '../desks/local-copy.ts'
import type { Figures } from './figures.ts'
import { median, percentile, seconds, table, timed, times } from './measure.ts'

const count = 100_000
const window = 100

/**
 * A structure of 100 000 units, half of them below one unit: reading it, and any window of its rows, however
 * far one scrolls.
 */
export const treeBench = async (folder: string, figures: Figures) => {
  const units = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Volume ${index}`,
    reference_code: `A${index}`,
    structure: 's',
    type: 'Volume',
    description: 'Letters that came in, bound by year',
    parent: index < 100 ? null : index < count / 2 ? 1 + (index % 100) : 1,
  }))
  const { cache, records, hold, close } = openLocalCopy(path.join(folder, 'tree.sqlite'))
  const reading = await timed(() => hold('description/structure-units', units, '2026-01-01T00:00:00Z'))
  const parsing = await timed(() => JSON.parse(JSON.stringify(units)) as unknown)

  const which = { list: 'structure-units', within: 's', filter: '', limit: window } as const
  const all = Array.from({ length: 100 }, (_, index) => String(index + 1))
  const plain = cache.database.prepare(
    `select id, model from held where subject = 'description/structure-units' order by position
        limit ${window} offset ?`,
  )
  const measure = (open: string[]) => {
    const { lines } = records.list({ ...which, open, offset: 0 })
    const offsets = Array.from({ length: 40 }, (_, index) => Math.floor((index / 40) * lines))
    const time = (work: (offset: number) => unknown) =>
      offsets.map((offset) => {
        const began = performance.now()
        work(offset)
        return performance.now() - began
      })
    const ours = time((offset) => records.list({ ...which, open, offset }))
    const bare = time((offset) => plain.all(offset))
    return {
      lines,
      'p50 ms': median(ours).toFixed(1),
      'p95 ms': percentile(ours, 0.95).toFixed(1),
      'p95 / a window of the bare table': times(percentile(ours, 0.95) / percentile(bare, 0.95)),
    }
  }
  table(`A tree of ${count} units: one window of ${window} rows`, [
    { open: 'nothing', ...measure([]) },
    { open: 'one unit with 50 000 below it', ...measure(['1']) },
    { open: 'everything', ...measure(all) },
  ])
  figures.note({ what: `taking ${count} units over / JSON`, values: [reading / parsing], unit: '×' })
  table(`Taking ${count} units over`, [
    {
      'read and write to the local copy': seconds(reading),
      'JSON there and back': seconds(parsing),
      'read / JSON': times(reading / parsing),
    },
  ])
  close()
}
