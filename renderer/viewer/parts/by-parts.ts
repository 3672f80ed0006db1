import type { Stage } from '../kind.ts'
import { noteRest } from '../trouble.ts'
import type { OutlineRow } from './outline-rows.ts'
import { countIn } from './numbers.ts'
import { outlineOf } from './outline.ts'
import { pause } from './pause.ts'

/** So many rows are drawn at first, and so many more each time. */
const rowsAtOnce = 5_000
/** More take more memory than the frame may have. */
const mostRows = 500_000

interface Options<Row extends OutlineRow> {
  stage: Stage
  name: string
  /** Rows as they are read; what is said once there are no more is said by whoever reads. */
  read: AsyncIterator<Row[]>
  detail: (row: Row) => Node[]
  searched: (row: Row) => string
}

/**
 * Shows a document as rows that fold, of which the beginning is read, and more when somebody asks for more.
 * @throws whatever reading the beginning throws
 */
export const drawByParts = async <Row extends OutlineRow>({ stage, name, read, ...shown }: Options<Row>) => {
  const rows: Row[] = []
  let isBroken = false
  const more = async (): Promise<boolean> => {
    const end = Math.min(mostRows, rows.length + rowsAtOnce)
    while (rows.length < end && !stage.signal.aborted) {
      const next = await read.next()
      if (next.done) return false
      for (const row of next.value) rows.push(row)
      await pause()
    }
    if (rows.length < mostRows) return true
    stage.note(stage.say.outline.tooMany(countIn(stage.language, mostRows)))
    return false
  }
  /** What follows may be broken: what was read before stays. */
  const goOn = async () => {
    if (isBroken) return false
    try {
      return await more()
    } catch (error) {
      isBroken = true
      if (rows.length === 0) throw error
      noteRest(stage, error, stage.say.outline.broken)
      return false
    }
  }
  const isMore = await goOn()
  const outline = outlineOf({ name, stage, rows, ...shown, ...(isMore ? { more: goOn } : {}) })
  stage.root.classList.add('filled')
  stage.root.append(outline.element)
  return outline.controls
}
