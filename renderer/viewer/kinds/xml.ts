import { element } from '../element.ts'
import { Undrawable, type Draw } from '../kind.ts'
import { readXmlRows, type XmlFindings, type XmlRow } from '../formats/xml-rows.ts'
import { drawByParts } from '../parts/by-parts.ts'
import { fieldList } from '../parts/field-list.ts'
import type { OutlineRow } from '../parts/outline-rows.ts'

interface ElementRow extends OutlineRow {
  attributes: Record<string, string>
  whole: string
}

const shownText = 300

const rowOf = ({ depth, name, attributes, text }: XmlRow): ElementRow => {
  const whole = text.trim()
  const line = whole.replace(/\s+/g, ' ').slice(0, shownText)
  const named = Object.entries(attributes).map(([key, value]) => `${key}="${value.slice(0, shownText)}"`)
  return {
    depth,
    label: name === '' ? line : name,
    text: name === '' ? '' : [...named, line].filter((part) => part !== '').join('  '),
    attributes,
    whole,
  }
}

/** Any XML document as elements that fold. */
export const draw: Draw = async (content, stage) => {
  const { say, note } = stage
  const findings: XmlFindings = { hasEntities: false, isBroken: false }
  let hasSaid = false
  const tell = () => {
    if (!findings.hasEntities || hasSaid) return
    hasSaid = true
    note(say.outline.entities)
  }
  async function* read() {
    let count = 0
    for await (const rows of readXmlRows(content, findings)) {
      tell()
      count += rows.length
      yield rows.map(rowOf)
    }
    if (count === 0) throw new Undrawable('broken')
    if (findings.isBroken) note(say.outline.broken)
  }
  return drawByParts({
    stage,
    name: content.name,
    read: read(),
    searched: ({ whole }) => whole,
    detail: ({ label, attributes, whole }) => [
      element('h2', {}, label),
      fieldList(Object.entries(attributes).map(([name, value]) => ({ name, value }))),
      ...(whole === '' ? [] : [element('p', { class: 'whole' }, whole)]),
    ],
  })
}
