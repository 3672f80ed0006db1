import { Undrawable } from '../kind.ts'

/** An element of a drawing: its type, and what is said of it, a number that tells what and a value. */
export interface Entity {
  type: string
  groups: readonly (readonly [group: number, value: string])[]
  /** Corners of a polyline; attributes of a block that is put in. */
  parts: Entity[]
}

export interface Layer {
  colour: number
  isOff: boolean
}

/** A drawing in DXF (text form), as far as it is drawn. */
export interface Drawing {
  version: string
  units: number
  layers: Map<string, Layer>
  blocks: Map<string, { base: readonly [number, number]; entities: Entity[] }>
  entities: Entity[]
}

const mostEntities = 500_000

/** The first value with this code; undefined where there is none. */
export const valueOf = ({ groups }: Entity, code: number): string | undefined =>
  groups.find(([one]) => one === code)?.[1]
/** The same as a number. */
export const numberOf = (entity: Entity, code: number, otherwise = 0): number => {
  const value = Number(valueOf(entity, code) ?? otherwise)
  return Number.isFinite(value) ? value : otherwise
}
export const numbersOf = ({ groups }: Entity, code: number): number[] =>
  groups.filter(([one]) => one === code).map(([, value]) => Number(value) || 0)

/** Text is in a code page of Windows up to 2006, then in UTF-8. */
const decode = (bytes: Uint8Array) => {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 64 * 1024))
  const [, version = ''] = /\$ACADVER\s+1\s+(AC\d+)/.exec(head) ?? []
  const [, page = '1252'] = /\$DWGCODEPAGE\s+3\s+ANSI_(\d+)/i.exec(head) ?? []
  const label = version >= 'AC1021' ? 'utf-8' : /^125\d$/.test(page) ? `windows-${page}` : 'windows-1252'
  return { version, text: new TextDecoder(label).decode(bytes) }
}

/** Elements and what else begins with code 0, in their order. */
function* readEntities(text: string): Generator<Entity> {
  const lines = text.split(/\r\n|\r|\n/)
  let entity: { type: string; groups: [number, string][]; parts: Entity[] } | undefined
  let count = 0
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const group = Number(lines[at])
    const value = lines[at + 1] ?? ''
    if (!Number.isInteger(group)) throw new Undrawable('broken', `line ${at + 1}`)
    if (group !== 0) {
      entity?.groups.push([group, group === 1 || group === 3 ? value : value.trim()])
      continue
    }
    if (entity) yield entity
    count += 1
    if (count > mostEntities) throw new Undrawable('too complex', `${count}`)
    entity = { type: value.trim(), groups: [], parts: [] }
  }
  if (entity) yield entity
}

/** What follows the name of a variable at the beginning. */
const variable = (header: Entity | undefined, name: string): number => {
  const at = header?.groups.findIndex(([group, value]) => group === 9 && value === name) ?? -1
  return Number(header?.groups[at + 1]?.[1] ?? 0) || 0
}

/** Puts elements into a list, each corner or attribute to what it is of. */
const collector = () => {
  let whole: Entity | undefined
  return (into: Entity[], entity: Entity) => {
    const { type } = entity
    if (type === 'SEQEND') whole = undefined
    else if (whole && (type === 'VERTEX' || type === 'ATTRIB')) whole.parts.push(entity)
    else {
      into.push(entity)
      const isOpen = type === 'POLYLINE' || (type === 'INSERT' && numberOf(entity, 66) === 1)
      whole = isOpen ? entity : undefined
    }
  }
}

/**
 * Reads a drawing in the text form of DXF (Autodesk, DXF Reference).
 * @throws Undrawable where it is none, or has more in it than anybody drew
 */
export const readDxf = (bytes: Uint8Array): Drawing => {
  const { version, text } = decode(bytes)
  const drawing: Drawing = { version, units: 0, layers: new Map(), blocks: new Map(), entities: [] }
  let section = ''
  let block: Entity[] | undefined
  const collect = collector()
  for (const entity of readEntities(text)) {
    if (entity.type === 'SECTION') {
      section = valueOf(entity, 2) ?? ''
      if (section === 'HEADER') drawing.units = variable(entity, '$INSUNITS')
    } else if (entity.type === 'ENDSEC') section = ''
    else if (section === 'TABLES' && entity.type === 'LAYER') {
      const colour = numberOf(entity, 62, 7)
      const isOff = colour < 0 || (numberOf(entity, 70) & 1) === 1
      drawing.layers.set(valueOf(entity, 2) ?? '', { colour: Math.abs(colour), isOff })
    } else if (section === 'BLOCKS' && entity.type === 'BLOCK') {
      block = []
      const base = [numberOf(entity, 10), numberOf(entity, 20)] as const
      drawing.blocks.set(valueOf(entity, 2) ?? '', { base, entities: block })
    } else if (entity.type === 'ENDBLK') block = undefined
    else if (section === 'BLOCKS' && block) collect(block, entity)
    else if (section === 'ENTITIES') collect(drawing.entities, entity)
  }
  if (drawing.entities.length === 0) throw new Undrawable('broken', 'no elements')
  return drawing
}
