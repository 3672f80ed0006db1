import { element } from '../element.ts'
import type { Draw } from '../kind.ts'
import { readJsonRows, type JsonRow } from '../formats/json-rows.ts'
import { drawByParts } from '../parts/by-parts.ts'
import type { OutlineRow } from '../parts/outline-rows.ts'

interface ValueRow extends OutlineRow {
  whole: string
}

const shownText = 300
const signs = { object: '{ }', array: '[ ]' }

const rowOf = ({ depth, name, kind, text }: JsonRow): ValueRow => {
  const line = text.replace(/\s+/g, ' ').slice(0, shownText)
  const value = kind === 'object' || kind === 'array' ? signs[kind] : line
  return { depth, label: name === '' ? value : name, text: name === '' ? '' : value, whole: text }
}

/** Any JSON document as values that fold; also one that has a document in each line. */
export const draw: Draw = (content, stage) => {
  async function* read() {
    const rows = readJsonRows(content)
    for (let next = await rows.next(); ; next = await rows.next()) {
      if (next.done) {
        if (!next.value) stage.note(stage.say.outline.broken)
        return
      }
      yield next.value.map(rowOf)
    }
  }
  return drawByParts({
    stage,
    name: content.name,
    read: read(),
    searched: ({ whole }) => whole,
    detail: ({ label, whole }) => [element('h2', {}, label), element('p', { class: 'whole' }, whole)],
  })
}
