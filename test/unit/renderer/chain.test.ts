import { expect, test } from 'vitest'
import type { Medium, StorageChain } from '../../../electron/contract/storage.ts'
import { layOut } from '../../../renderer/pages/storage/chain.ts'

const medium = (id: string, target: string, statusCode: number) =>
  ({
    id,
    name: id.toUpperCase(),
    target: { id: target },
    use: statusCode === 20 ? 'written' : 'other',
    copies: 1,
  }) as Medium
const chain: StorageChain = {
  policies: [{ id: 'p', name: 'Standard', isActive: true, methods: ['disk', 'tape', 'gone'] }],
  methods: [
    { id: 'disk', name: 'Disk', isEnabled: true, type: 'DISK', inContainers: false },
    { id: 'tape', name: 'Tape', isEnabled: true, type: 'TAPE', inContainers: true },
    { id: 'unused', name: 'Unused', isEnabled: false, type: 'CAS', inContainers: false },
  ],
  relations: [
    { id: 'r1', name: '', use: 'written', status: 'Enabled', method: 'disk', target: 'a' },
    { id: 'r2', name: '', use: 'disabled', status: 'Disabled', method: 'tape', target: 'b' },
    { id: 'r3', name: '', use: 'read-only', status: 'ReadOnly', method: 'tape', target: 'c' },
    { id: 'r4', name: '', use: 'written', status: 'Enabled', method: 'tape', target: 'nowhere' },
  ],
  targets: ['a', 'b', 'c'].map((id) => ({
    id,
    name: id,
    isEnabled: id !== 'b',
    path: '',
    type: 'DISK',
    usedBytes: 0,
    capacityBytes: null,
  })),
}
const media = [medium('m1', 'a', 20), medium('m2', 'a', 30), medium('m3', 'a', 30), medium('m4', 'c', 20)]

test('links say whether they are in use, partly, off, or lead nowhere', () => {
  const { links } = layOut({ chain, media })
  const said = links.map(({ from, to, state, said: text }) => `${from.id}→${to.id} ${state} ${text}`.trim())
  expect(said).toContain('disk→a on')
  expect(said).toContain('tape→b off')
  expect(said).toContain('tape→c partly ReadOnly')
  expect(said).toContain('tape→nowhere broken')
  expect(said).toContain('p→gone broken')
  expect(said).toContain('b→none b off')
})

test('media that are written to stand alone, the others of a target together, and no two boxes in one another', () => {
  const { nodes, rows } = layOut({ chain, media })
  expect(nodes.filter(({ column }) => column === 3).map((node) => node.media.map(({ id }) => id))).toEqual(
    expect.arrayContaining([['m1'], ['m2', 'm3'], ['m4'], []]),
  )
  for (const column of [0, 1, 2, 3]) {
    const at = nodes.filter((node) => node.column === column).map(({ row }) => row)
    for (const [index, row] of [...at].sort((a, b) => a - b).entries())
      if (index > 0) expect(row - ([...at].sort((a, b) => a - b)[index - 1] ?? 0)).toBeGreaterThanOrEqual(1)
    expect(Math.max(...at)).toBeLessThan(rows)
  }
  expect(nodes.map(({ id }) => id)).toContain('unused')
})

test('an archive without anything is an empty picture', () => {
  expect(
    layOut({ chain: { policies: [], methods: [], relations: [], targets: [] }, media: [] }),
  ).toMatchObject({ nodes: [], links: [] })
})
