import type { Medium, StorageOverview } from '../../../electron/contract/storage.ts'

/** How a link of the chain is: in use, allowed to be read only (or being left), switched off, or leading nowhere. */
export type LinkState = 'on' | 'partly' | 'off' | 'broken'

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

const stillWritten = 20

/** Media of a target as they are drawn: those that are written to one by one, the others together. */
const mediaOf = (media: Medium[], target: string) => {
  const here = media.filter((medium) => medium.target?.id === target)
  const written = here.filter(({ statusCode }) => statusCode === stillWritten)
  const others = here.filter(({ statusCode }) => statusCode !== stillWritten)
  return [...written.map((medium) => [medium]), ...(others.length > 0 ? [others] : [])]
}

const worst = (...states: LinkState[]) =>
  (['broken', 'off', 'partly', 'on'] as const).find((state) => states.includes(state)) ?? 'on'

const relationState = (code: number | null): LinkState =>
  code === 0 ? 'off' : code === null || code === 1 ? 'on' : 'partly'

/**
 * Lays the chain policy → method → target → medium out in four columns. Every end of the chain has a row of its own, and what
 * leads to several stands in their middle. What names something that is not there is drawn as broken.
 */
export const layOut = ({ chain, media }: Pick<StorageOverview, 'chain' | 'media'>): Chain => {
  const nodes = new Map<string, ChainNode>()
  const links: ChainLink[] = []
  let rows = 0
  const node = (
    column: number,
    id: string,
    name: string,
    state: LinkState,
    more: Medium[] = [],
  ): ChainNode => {
    const key = `${column} ${id}`
    const known = nodes.get(key)
    if (known) return known
    const made = { column, key, id, name, state, media: more, row: -1 }
    nodes.set(key, made)
    return made
  }
  const place = (it: ChainNode, below: ChainNode[]) => {
    if (it.row >= 0) return it
    const placed = below.map(({ row }) => row)
    it.row = placed.length === 0 ? rows++ : (Math.min(...placed) + Math.max(...placed)) / 2
    return it
  }
  const link = (from: ChainNode, to: ChainNode, state: LinkState, said = '') =>
    links.push({ from, to, state, said })

  const targetNode = (id: string) => {
    const target = chain.targets.find((it) => it.id === id)
    const it = node(
      2,
      id,
      target?.name ?? id,
      target ? (target.isEnabled === false ? 'off' : 'on') : 'broken',
    )
    if (it.row >= 0) return it
    const groups = mediaOf(media, id)
    const ends = groups.map((group) =>
      place(
        node(
          3,
          group.map((medium) => medium.id).join(' '),
          group.length === 1 ? (group[0]?.name ?? '') : '',
          'on',
          group,
        ),
        [],
      ),
    )
    if (ends.length === 0)
      ends.push(place(node(3, `none ${id}`, '', it.state === 'on' ? 'broken' : 'off'), []))
    for (const end of ends) link(it, end, end.media.length === 0 ? end.state : it.state)
    return place(it, ends)
  }
  const methodNode = (id: string) => {
    const method = chain.methods.find((it) => it.id === id)
    const it = node(1, id, method?.name ?? id, method ? (method.isEnabled ? 'on' : 'off') : 'broken')
    if (it.row >= 0) return it
    const relations = chain.relations.filter((relation) => relation.method === id)
    const ends = relations.map((relation) => ({ relation, end: targetNode(relation.target ?? relation.id) }))
    for (const { relation, end } of ends) {
      const state = worst(it.state, end.state, relationState(relation.code))
      link(it, end, state, state === 'partly' ? relation.status : '')
    }
    return place(
      it,
      ends.map(({ end }) => end),
    )
  }
  for (const policy of chain.policies) {
    const it = node(0, policy.id, policy.name, policy.isActive ? 'on' : 'off')
    const ends = policy.methods.map(methodNode)
    for (const end of ends) link(it, end, it.state === 'off' ? 'off' : end.state)
    place(it, ends)
  }
  // Methods and targets that no policy leads to are part of the truth as well.
  for (const { id } of chain.methods) methodNode(id)
  for (const { id } of chain.targets) targetNode(id)
  separate([...nodes.values()])
  return {
    nodes: [...nodes.values()],
    links,
    rows: Math.max(rows, ...[...nodes.values()].map(({ row }) => row + 1)),
  }
}

/** No two of a column stand in one another: a later one moves down as far as it must. */
const separate = (nodes: ChainNode[]) => {
  for (const column of [0, 1, 2, 3]) {
    let free = 0
    for (const it of nodes.filter((other) => other.column === column).sort((a, b) => a.row - b.row)) {
      it.row = Math.max(it.row, free)
      free = it.row + 1
    }
  }
}
