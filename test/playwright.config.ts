import path from 'node:path'
import { defineConfig } from '@playwright/test'
import type { Dialect } from './archives/dialects.ts'
import { aloneWith, takenOnlyWith } from './e2e/lanes.ts'

// Each journey starts programs of Node anew; what they compiled once is read the next time.
process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, '../node_modules/.cache/compiled')

const filesOf = (names: string[]) => names.map((name) => `**/${name}.e2e.ts`)

/**
 * One journey at a time: each starts an app of its own, with notices and secrets of the same desktop. Those
 * of each dialect are taken by a run of their own, side by side, each on a desktop of its own.
 */
export default defineConfig<object, { dialect: Dialect }>({
  testDir: './e2e',
  testMatch: '*.e2e.ts',
  outputDir: '../test-results',
  workers: 1,
  // Journeys are taken with an archive by the specification, and with one that speaks as ESSArch does.
  projects: [
    {
      name: 'specification',
      use: { dialect: 'specification' },
      testIgnore: filesOf(takenOnlyWith.essarch),
      grepInvert: new RegExp(aloneWith.essarch),
    },
    {
      name: 'essarch',
      use: { dialect: 'essarch' },
      testIgnore: filesOf(takenOnlyWith.specification),
      grepInvert: new RegExp(aloneWith.specification),
    },
  ],
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  forbidOnly: process.env['CI'] !== undefined,
})
