import { svelte } from '@sveltejs/vite-plugin-svelte'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'

const at = (file: string) => path.join(import.meta.dirname, file)

const units = ['test/*.test.ts', 'test/unit/**/*.test.ts']
/** Files that take more than ten seconds on two cores; `npm run test:fast` leaves them out. */
const thorough = [
  'archive-referees',
  'bag-command',
  'bag-properties',
  'bags-at-the-desk',
  'beyond',
  'capabilities',
  'checking',
  'compose',
  'hostile-bags',
  'listening',
  'local-archive',
  'local-archive-indexing',
  'local-archive-ingest',
  'notices',
  'outbox',
  'packing',
  'reading',
  'torture',
  'vault',
  'whole-list',
]
  .map((name) => `test/unit/electron/${name}.test.ts`)
  .concat('test/unit/ready.test.ts')

export default defineConfig({
  root: at('..'),
  test: {
    globalSetup: [at('setup/build-main.mjs')],
    // One waits while another works, also on a machine of two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'fast', environment: 'node', include: units, exclude: thorough },
      },
      {
        extends: true,
        test: { name: 'thorough', environment: 'node', include: thorough },
      },
      {
        extends: true,
        plugins: [svelte({ configFile: at('../renderer/svelte.config.js') })],
        resolve: { conditions: ['browser'] },
        test: {
          name: 'component',
          environment: 'jsdom',
          include: ['test/component/**/*.test.ts'],
          setupFiles: [at('component/setup.ts')],
        },
      },
    ],
  },
})
