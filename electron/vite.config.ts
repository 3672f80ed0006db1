import { builtinModules } from 'node:module'
import path from 'node:path'
import { defineConfig } from 'vite'

const at = (file: string) => path.join(import.meta.dirname, file)
const external = [
  'electron',
  'keytar',
  'node:sqlite',
  ...builtinModules,
  ...builtinModules.map((name) => `node:${name}`),
]

/** Main, its thread and the archive's process as ES modules; the preload as one CommonJS file, since a sandboxed one can be nothing else. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  logLevel: 'warn',
  environments: {
    main: {
      consumer: 'server',
      resolve: { noExternal: true, external: ['electron', 'keytar'], conditions: ['node'] },
      build: {
        outDir: at('../out/main'),
        emptyOutDir: true,
        target: 'node24',
        minify: false,
        rolldownOptions: {
          input: {
            main: at('main.ts'),
            'packing-foreman': at('packaging/pack/foreman.ts'),
            'packing-hand': at('packaging/pack/hand.ts'),
            checker: at('packaging/check/checker.ts'),
            'check-hand': at('packaging/check/check-hand.ts'),
            bag: at('packaging/command.ts'),
            'reading-worker': at('sync/worker.ts'),
            'questions-worker': at('questions/worker.ts'),
            'local-archive': at('local-archive/serve.ts'),
            'text-worker': at('local-archive/search/text-worker.ts'),
          },
          external,
          platform: 'node',
          output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
        },
      },
    },
    preload: {
      consumer: 'client',
      build: {
        outDir: at('../out/preload'),
        emptyOutDir: true,
        target: 'chrome152',
        minify: true,
        modulePreload: false,
        rolldownOptions: {
          input: at('preload/preload.ts'),
          external: ['electron'],
          output: { format: 'cjs', entryFileNames: 'preload.cjs' },
        },
      },
    },
  },
  builder: {
    buildApp: async (builder) => {
      for (const name of ['main', 'preload'] as const) {
        const environment = builder.environments[name]
        if (environment) await builder.build(environment)
      }
    },
  },
})
