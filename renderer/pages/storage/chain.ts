import type { Medium, RelationUse, StorageOverview } from '../../../electron/contract/storage.ts'

/**
 * How a link of the chain is: in use, allowed to be read only (or being left), switched off, or leading
 * nowhere.
 */
export type LinkState = 'on' | 'partly' | 'off' | 'broken'

/** The words of the field that its columns are called by. */
export const chainTerms = ['policy', 'method', 'target', 'medium'] as const

interface ChainNode {
  /** Where it stands: 0 policies, 1 methods, 2 targets, 3 media. */
  column: number
  key: string
  id: string
  name: string
  state: LinkState
  /** Only of media: several that need no attention stand as one. */
  media: Medium[]
  /** In rows from the top; halves between two. */
  row: number
}
interface ChainLink {
  from: ChainNode
  to: ChainNode
  state: LinkState
  /** What the archive says of the link, where it is not simply in use. */
  said: string
}

export interface Chain {
  nodes: ChainNode[]
  links: ChainLink[]
  rows: number
}

/** Media of a target as they are drawn: those that are written to one by one, the others together. */
const mediaOf = (media: Medium[], target: string) => {
  const ofTarget = media.filter((medium) => medium.target?.id === target)
  const written = ofTarget.filter(({ use }) => use === 'written')
  const others = ofTarget.filter(({ use }) => use !== 'written')
  return [...written.map((medium) => [medium]), ...(others.length > 0 ? [others] : [])]
}

const worst = (...states: LinkState[]) =>
  (['broken', 'off', 'partly', 'on'] as const).find((state) => states.includes(state)) ?? 'on'

const relationStates: Record<RelationUse, LinkState> = {
  written: 'on',
  'read-only': 'partly',
  migrated: 'partly',
  disabled: 'off',
  other: 'partly',
}

/** Draws nodes, each one once, and links between them. */
const openDrawing = () => {
  const nodes = new Map<string, ChainNode>()
  const links: ChainLink[] = []
  let rows = 0
  return {
    node: (column: number, id: string, name: string, state: LinkState, media: Medium[] = []): ChainNode => {
      const key = `${column} ${id}`
      const known = nodes.get(key)
      if (known) return known
      const made = { column, key, id, name, state, media, row: -1 }
      nodes.set(key, made)
      return made
    },
    /** Puts a node into the middle of those it leads to, or into a row of its own. */
    place: (node: ChainNode, below: ChainNode[]) => {
      if (node.row >= 0) return node
      const placed = below.map(({ row }) => row)
      node.row = placed.length === 0 ? rows++ : (Math.min(...placed) + Math.max(...placed)) / 2
      return node
    },
    link: (from: ChainNode, to: ChainNode, state: LinkState, said = '') =>
      links.push({ from, to, state, said }),
    finish: (): Chain => {
      const all = [...nodes.values()]
      separate(all)
      return { nodes: all, links, rows: Math.max(rows, ...all.map(({ row }) => row + 1)) }
    },
  }
}
type Drawing = ReturnType<typeof openDrawing>

/** Draws a target with its media. */
const drawTarget = (
  { node, place, link }: Drawing,
  { chain, media }: Pick<StorageOverview, 'chain' | 'media'>,
  id: string,
): ChainNode => {
  const target = chain.targets.find((other) => other.id === id)
  const state = target ? (target.isEnabled === false ? 'off' : 'on') : 'broken'
  const drawn = node(2, id, target?.name ?? id, state)
  if (drawn.row >= 0) return drawn
  const ends = mediaOf(media, id).map((group) => {
    const key = group.map((medium) => medium.id).join(' ')
    return place(node(3, key, group.length === 1 ? (group[0]?.name ?? '') : '', 'on', group), [])
  })
  if (ends.length === 0)
    ends.push(place(node(3, `none ${id}`, '', drawn.state === 'on' ? 'broken' : 'off'), []))
  for (const end of ends) link(drawn, end, end.media.length === 0 ? end.state : drawn.state)
  return place(drawn, ends)
}

/** Draws a method with the targets that it leads to. */
const drawMethod = (
  drawing: Drawing,
  overview: Pick<StorageOverview, 'chain' | 'media'>,
  id: string,
): ChainNode => {
  const { methods, relations } = overview.chain
  const method = methods.find((other) => other.id === id)
  const state = method ? (method.isEnabled ? 'on' : 'off') : 'broken'
  const drawn = drawing.node(1, id, method?.name ?? id, state)
  if (drawn.row >= 0) return drawn
  const ends = relations
    .filter((relation) => relation.method === id)
    .map((relation) => ({ relation, end: drawTarget(drawing, overview, relation.target ?? relation.id) }))
  for (const { relation, end } of ends) {
    const linkState = worst(drawn.state, end.state, relationStates[relation.use])
    drawing.link(drawn, end, linkState, linkState === 'partly' ? relation.status : '')
  }
  return drawing.place(
    drawn,
    ends.map(({ end }) => end),
  )
}

/**
 * Lays the chain policy → method → target → medium out in four columns. Every end of the chain has a row of
 * its own, and what leads to several stands in their middle. What names something that is not there is drawn
 * as broken.
 */
export const layOut = (overview: Pick<StorageOverview, 'chain' | 'media'>): Chain => {
  const { policies, methods, targets } = overview.chain
  const drawing = openDrawing()
  for (const policy of policies) {
    const drawn = drawing.node(0, policy.id, policy.name, policy.isActive ? 'on' : 'off')
    const ends = policy.methods.map((method) => drawMethod(drawing, overview, method))
    for (const end of ends) drawing.link(drawn, end, drawn.state === 'off' ? 'off' : end.state)
    drawing.place(drawn, ends)
  }
  // Methods and targets that no policy leads to are part of the truth as well.
  for (const { id } of methods) drawMethod(drawing, overview, id)
  for (const { id } of targets) drawTarget(drawing, overview, id)
  return drawing.finish()
}

/** No two of a column stand in one another: a later one moves down as far as it must. */
const separate = (nodes: ChainNode[]) => {
  for (const column of [0, 1, 2, 3]) {
    let free = 0
    const inColumn = nodes.filter((node) => node.column === column).sort((a, b) => a.row - b.row)
    for (const node of inColumn) {
      node.row = Math.max(node.row, free)
      free = node.row + 1
    }
  }
}
