import { parse } from 'csv-parse/sync'
import fc from '../../../support/properties.ts'
import { expect, test } from 'vitest'
import { csvLine } from '../../../../electron/packaging/csv.ts'

/**
 * What a spreadsheet may take for cells that separates by this sign: it heeds no quotes, or forgets them at
 * the beginning.
 */
const cellsRead = (line: string, delimiter: string) =>
  delimiter === ','
    ? parse(line).flat()
    : line.split(/[\r\n]/).flatMap((row) => row.split(delimiter).map((cell) => cell.replace(/^[\s"]+/, '')))

const hostile = fc.string({
  unit: fc.constantFrom('a', 'å', '=', '+', '-', '@', ';', '\t', ',', '"', '\n', '\r', ' ', '＝', '1'),
  maxLength: 12,
})

test('no cell is a formula, whichever sign a spreadsheet separates by', () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 1, maxLength: 4 }), (cells) => {
      const line = csvLine(['plain', ...cells])
      for (const delimiter of [',', ';', '\t'])
        for (const cell of cellsRead(line, delimiter))
          expect(cell, JSON.stringify({ line, delimiter })).not.toMatch(/^\s*[=+\-@＝＋－＠]/)
    }),
    { numRuns: 3_000, seed: 1, examples: [[['a;=1+1']], [['a\t@cmd']], [['-3']], [['x', '; =1']]] },
  )
})

test('where a cell holds no formula, it is read back as it was', () => {
  const cells = ['Andersson, Åsa', 'two\nlines', 'says "so"', 'a;b', '', '2026-01-01', 'x=1']
  expect(parse(csvLine(cells))).toEqual([cells])
})
