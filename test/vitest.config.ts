import { svelte } from '@sveltejs/vite-plugin-svelte'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'

const at = (file: string) => path.join(import.meta.dirname, file)

const units = ['test/*.test.ts', 'test/unit/**/*.test.ts']
/** Files that take more than five seconds on two cores; `npm run test:fast` leaves them out. */
const thorough = [
  'archive-desks',
  'archive-referees',
  'backups',
  'bag-command',
  'bag-properties',
  'bags-at-the-desk',
  'cache-file',
  'capabilities',
  'checking',
  'desk',
  'endless-lists',
  'essarch',
  'essarch-recordings',
  'hostile-bags',
  'job-model',
  'listening',
  'local-archive',
  'local-archive-accounts',
  'local-archive-indexing',
  'local-archive-ingest',
  'local-archive-limits',
  'local-archive-strict',
  'local-archive-visibility',
  'local-copy',
  'notices',
  'outbox',
  'packing',
  'reading',
  'submission',
  'submission-job',
  'sync',
  'torture',
  'transfer-model',
  'vault',
  'whole-list',
]
  .map((name) => `test/unit/electron/${name}.test.ts`)
  .concat('test/unit/ready.test.ts')

export default defineConfig({
  root: at('..'),
  test: {
    globalSetup: [at('setup/build-main.mjs')],
    // Most wait for an archive, a clock or a disk half of their time.
    maxWorkers: availableParallelism() + 1,
    // Only what hangs is to end by it: the longest take half a minute on two quiet cores, and a busy machine
    // has a right to be slow.
    testTimeout: 240_000,
    hookTimeout: 120_000,
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
