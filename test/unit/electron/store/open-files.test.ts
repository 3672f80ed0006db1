import { expect, test } from 'vitest'
import { openFiles } from '../../../../electron/store/open-files.ts'

const open = () => {
  const log: string[] = []
  const busy = new Set<string>()
  const memory = new Map<string, number>()
  const files = openFiles({
    open: (archive, file) => {
      log.push(`open ${archive} ${file}`)
      return {
        archive,
        keepInMemory: (bytes: number) => void memory.set(archive, bytes),
        close: () => {
          memory.delete(archive)
          log.push(`close ${archive}`)
        },
      }
    },
    most: 2,
    bytes: 12,
    fewestBytes: 5,
    isIdle: ({ archive }) => !busy.has(archive),
  })
  return { files, log, busy, memory }
}

test('the files that were used last stay open, and share the memory', () => {
  const { files, log, memory } = open()
  files.of('a', '1')
  expect(memory).toEqual(new Map([['a', 12]]))
  files.of('b', '2')
  files.of('a', '1')
  files.of('c', '3')
  expect(log).toEqual(['open a 1', 'open b 2', 'close b', 'open c 3'])
  expect([...memory]).toEqual([
    ['a', 6],
    ['c', 6],
  ])
  files.close('a')
  expect([...memory]).toEqual([['c', 12]])
  files.closeAll()
  expect(memory.size).toBe(0)
})

test('a file that is worked with stays open beyond that, and none has so little memory that it crawls', () => {
  const { files, log, busy, memory } = open()
  for (const archive of ['a', 'b', 'c']) {
    busy.add(archive)
    files.of(archive, '')
  }
  expect([...memory.values()]).toEqual([5, 5, 5])
  busy.delete('b')
  files.of('d', '')
  expect(log.at(-2)).toBe('close b')
  expect([...memory.keys()]).toEqual(['a', 'c', 'd'])
})
