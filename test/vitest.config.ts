import { svelte } from '@sveltejs/vite-plugin-svelte'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'

const at = (file: string) => path.join(import.meta.dirname, file)

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
        test: { name: 'unit', environment: 'node', include: ['test/*.test.ts', 'test/unit/**/*.test.ts'] },
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
