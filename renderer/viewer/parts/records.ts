import { TooLarge, type Content } from '../content.ts'
import { element } from '../element.ts'
import type { Controls, Draw, Stage } from '../kind.ts'
import { readXmlTree, type XmlElement } from '../formats/xml-tree.ts'
import { outlineOf, type Column } from './outline.ts'
import type { OutlineRow } from './outline-rows.ts'

/** A unit of a finding aid may have as many as it has leaves. */
const mostLinks = 100

/** A record among others, and what is shown of it when it is chosen. */
export interface RecordRow extends OutlineRow {
  detail: () => Node[]
  /** What that says, as a text. */
  said?: () => string
  /** Files of the package that it names, by their paths. */
  files?: string[]
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

/** What leads to the files that a record names. */
const linksTo = (files: readonly string[], { say, openNamed }: Stage): Node[] => {
  if (!openNamed || files.length === 0) return []
  const buttons = files.slice(0, mostLinks).map((path) => {
    const name = say.records.open(path.slice(path.lastIndexOf('/') + 1))
    const button = element('button', { type: 'button', class: 'action', title: path }, name)
    button.addEventListener('click', () => openNamed(path))
    return button
  })
  return [element('p', { class: 'named-files' }, ...buttons)]
}

/** Records in their order, each shown beside when it is chosen. */
export const drawRecords = (rows: RecordRow[], stage: Stage, { name, heading, columns }: Records) => {
  const { openNamed } = stage
  const lines = rows.map((row) => ({ ...row, isStill: !row.files?.length }))
  const open = openNamed && lines.some(({ isStill }) => !isStill) ? openNamed : undefined
  const outline = outlineOf({
    name,
    stage,
    rows: lines,
    heading,
    columns,
    searched: ({ said }) => said?.() ?? '',
    detail: ({ detail, files = [] }) => {
      const [title, ...rest] = detail()
      return [...(title ? [title] : []), ...linksTo(files, stage), ...rest]
    },
    ...(open ? { open: ({ files: [file] = [] }: RecordRow) => file !== undefined && open(file) } : {}),
  })
  stage.root.classList.add('filled')
  stage.root.append(outline.element)
  return outline.controls
}
