import { defineConfig } from '@playwright/test'
import type { Dialect } from './dialects.ts'

/** One journey of a dialect at a time: each starts an app of its own, and this may be a small machine. */
export default defineConfig<object, { dialect: Dialect }>({
  testDir: './e2e',
  testMatch: '*.e2e.ts',
  workers: 1,
  // Every journey is taken with an archive by the specification, and with one that speaks as ESSArch does.
  projects: [
    { name: 'specification', outputDir: '../test-results/specification', use: { dialect: 'specification' } },
    { name: 'essarch', outputDir: '../test-results/essarch', use: { dialect: 'essarch' } },
  ],
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  forbidOnly: process.env['CI'] !== undefined,
})
