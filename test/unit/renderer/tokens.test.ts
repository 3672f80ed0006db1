import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const renderer = path.resolve(import.meta.dirname, '../../../renderer')
const tokens = readFileSync(path.join(renderer, 'styles/tokens.css'), 'utf8')
const start = tokens.indexOf('@media screen and (prefers-color-scheme: dark)')
const end = tokens.indexOf('\n}', start)
const themes = { light: tokens.slice(0, start), dark: tokens.slice(start, end) }

type Colours = Record<string, string>
/** The names and values that each rule of a text sets, in their order. */
const rulesOf = (css: string): Colours[] =>
  [...css.matchAll(/\{([^{}]*)\}/g)].map(([, body = '']) =>
    Object.fromEntries(
      [...body.matchAll(/([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
    ),
  )

/** Relative luminance of #rrggbb (WCAG 2.2). */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const grounds = ['--paper', '--sheet', '--raised', '--sunken']
/** What is written in which colour, and on which grounds. */
const written = {
  '--ink': [...grounds, '--mark', '--accent-soft'],
  '--ink-soft': [...grounds, '--accent-soft'],
  '--ink-faint': grounds,
  '--accent': [...grounds, '--accent-soft'],
  '--on-accent': ['--accent'],
  '--good': [...grounds, '--good-soft'],
  '--warn': [...grounds, '--warn-soft'],
  '--bad': [...grounds, '--bad-soft'],
}

test.each(['light', 'dark'] as const)('text has a contrast of 7:1 in the %s theme', (theme) => {
  const [all = {}, ...others] = rulesOf(themes[theme])
  const accents = others.filter((rule) => '--accent' in rule)
  expect(accents).toHaveLength(6)
  const faint = accents.flatMap((accent, index) => {
    const colours: Colours = { ...all, ...accent }
    return Object.entries(written).flatMap(([ink, on]) =>
      on
        .map((ground) => ({ ground, ratio: contrast(colours[ink] ?? '', colours[ground] ?? '') }))
        .filter(({ ratio }) => !(ratio >= 7))
        .map(({ ground, ratio }) => `accent ${index}: ${ink} on ${ground} is ${ratio.toFixed(2)}`),
    )
  })
  expect(faint).toEqual([])
})

// Nothing that has a size differs between the themes, so pages are measured in one at every size.
test('the dark theme is colours alone', () => {
  const files = readdirSync(renderer, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(css|svelte|ts|html)$/.test(file),
  )
  const themed = files.filter((file) =>
    /prefers-color-scheme|light-dark\(/.test(readFileSync(path.join(renderer, file), 'utf8')),
  )
  expect(themed).toEqual(['styles/tokens.css'])
  const rules = rulesOf(themes.dark)
  expect(rules).toHaveLength(7)
  const others = rules.flatMap((rule) =>
    Object.entries(rule).filter(([, value]) => !/^#[0-9a-f]{6}$/.test(value)),
  )
  expect(others).toEqual([
    ['color-scheme', 'dark'],
    ['--shade', 'none'],
    ['--shade-above', '0 12px 32px rgb(0 0 0 / 60%)'],
  ])
  // A shadow takes no room, and neither does what has a colour, as long as nothing else reads its name.
  const shades = files.flatMap((file) =>
    readFileSync(path.join(renderer, file), 'utf8')
      .split('\n')
      .filter((line) => line.includes('var(--shade') && !/^\s*box-shadow: /.test(line)),
  )
  expect(shades).toEqual([])
})
