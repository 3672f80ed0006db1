import { TooLarge, type Content } from '../content.ts'
import type { Controls, Draw, Stage } from '../kind.ts'
import { readXmlTree, type XmlElement } from '../formats/xml-tree.ts'
import { outlineOf, type Column } from './outline.ts'
import type { OutlineRow } from './outline-rows.ts'

/** A record among others, and what is shown of it when it is chosen. */
export interface RecordRow extends OutlineRow {
  detail: () => Node[]
}

/** Reads a description; one that is no description any more by its size is shown as the XML that it is. */
export const drawDescription =
  (drawTree: (tree: XmlElement, stage: Stage) => Controls): Draw =>
  async (content: Content, stage: Stage) => {
    const findings = { hasEntities: false, isBroken: false }
    try {
      const tree = await readXmlTree(content, stage.signal, findings)
      if (findings.hasEntities) stage.note(stage.say.outline.entities)
      if (findings.isBroken) stage.note(stage.say.outline.broken)
      return drawTree(tree, stage)
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error
      const { draw } = await import('../kinds/xml.ts')
      return draw(content, stage)
    }
  }

interface Records {
  name: string
  heading: string
  columns: Column[]
}

/** Records in their order, each shown beside when it is chosen. */
export const drawRecords = (rows: RecordRow[], stage: Stage, { name, heading, columns }: Records) => {
  const outline = outlineOf({ name, stage, rows, heading, columns, detail: (row) => row.detail() })
  stage.root.classList.add('filled')
  stage.root.append(outline.element)
  return outline.controls
}
