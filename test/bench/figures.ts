import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { median, sound, table } from './measure.ts'

/** What a bench leaves behind: a file of them can be compared with that of another run. */
const Figure = v.object({
  what: v.string(),
  value: v.number(),
  unit: v.string(),
  bar: v.nullable(v.number()),
  met: v.nullable(v.boolean()),
})
type Figure = v.InferOutput<typeof Figure>

/**
 * The figures of an earlier run.
 * @throws Error with a sentence where a file is none of a bench
 */
export const readFigures = (file: string): Figure[] => {
  try {
    return v.parse(v.array(Figure), JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new Error(`${file} is no file of figures that a bench wrote.`, { cause })
  }
}

interface Noted {
  what: string
  /** Of several runs the median counts. */
  values: number[]
  /** One of those that `sound` knows; '' for a count. */
  unit: string
  /** The most, or the least, that it may be; left out where nothing is asked of it. */
  bar?: { most: number } | { least: number }
}

const shown = (value: number) => Number(value.toPrecision(3))

/** What a run measured, beside what was asked of it. */
export class Figures {
  readonly #all: { figure: Figure; bar: string; spread: string }[] = []

  note({ what, values, unit, bar }: Noted) {
    const value = sound(what, median(values), unit)
    const [limit, isMet] = bar
      ? 'most' in bar
        ? [bar.most, value <= bar.most]
        : [bar.least, value >= bar.least]
      : [null, null]
    const spread = values.length > 1 ? `${shown(Math.min(...values))} to ${shown(Math.max(...values))}` : ''
    this.#all.push({
      figure: { what, value, unit, bar: limit, met: isMet },
      bar: bar ? ('most' in bar ? `at most ${bar.most}` : `at least ${bar.least}`) : '',
      spread,
    })
  }

  get all(): Figure[] {
    return this.#all.map(({ figure }) => figure)
  }

  /** Shows all of them in one table, and writes them to a file. */
  end(file: string) {
    table(
      'What was measured, and what is asked of it',
      this.#all.map(({ figure: { what, value, unit, met }, bar, spread }) => ({
        figure: what,
        value: `${shown(value)} ${unit}`.trim(),
        bar,
        met: met === null ? '' : met ? 'met' : 'NOT MET',
        spread,
      })),
    )
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, `${JSON.stringify(this.all, null, 2)}\n`)
  }

  /** Shows what became of the figures of an earlier run. */
  against(before: Figure[]) {
    table(
      'Against the earlier run',
      this.all.flatMap(({ what, value, unit }) => {
        const earlier = before.find((one) => one.what === what && one.unit === unit)
        if (!earlier) return []
        return [
          {
            figure: what,
            before: `${shown(earlier.value)} ${unit}`.trim(),
            now: `${shown(value)} ${unit}`.trim(),
            'now / before': earlier.value === 0 ? '' : (value / earlier.value).toFixed(2),
          },
        ]
      }),
    )
  }
}
