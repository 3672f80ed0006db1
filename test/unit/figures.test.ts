import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Figures, readFigures } from '../bench/figures.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-figures-'))
const shown = vi.spyOn(console, 'table')
beforeAll(() => void shown.mockImplementation(() => undefined))
afterAll(() => {
  shown.mockRestore()
  rmSync(folder, { recursive: true })
})

const measured = (pace: number) => {
  const figures = new Figures()
  figures.note({ what: 'packing / cp', values: [1.2, 1, 1.1], unit: '×', bar: { most: 1.05 } })
  figures.note({ what: 'sending / a file', values: [pace], unit: '×', bar: { least: 0.9 } })
  figures.note({ what: 'rows', values: [7], unit: '' })
  return figures
}

test('what a bench measured is one table beside its bars, and a file', () => {
  const file = path.join(folder, 'out/bench.json')
  measured(0.95).end(file)
  expect(shown.mock.lastCall?.[0]).toEqual([
    { figure: 'packing / cp', value: '1.1 ×', bar: 'at most 1.05', met: 'NOT MET', spread: '1 to 1.2' },
    { figure: 'sending / a file', value: '0.95 ×', bar: 'at least 0.9', met: 'met', spread: '' },
    { figure: 'rows', value: '7', bar: '', met: '', spread: '' },
  ])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([
    { what: 'packing / cp', value: 1.1, unit: '×', bar: 1.05, met: false },
    { what: 'sending / a file', value: 0.95, unit: '×', bar: 0.9, met: true },
    { what: 'rows', value: 7, unit: '', bar: null, met: null },
  ])
})

test('two runs are compared by the names of their figures', () => {
  const file = path.join(folder, 'before.json')
  measured(0.5).end(file)
  measured(1).against(readFigures(file))
  expect(shown.mock.lastCall?.[0]).toContainEqual({
    figure: 'sending / a file',
    before: '0.5 ×',
    now: '1 ×',
    'now / before': '2.00',
  })
  writeFileSync(file, '{}')
  expect(() => readFigures(file)).toThrow(`${file} is no file of figures that a bench wrote.`)
})
