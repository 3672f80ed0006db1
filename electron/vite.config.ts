import { builtinModules } from 'node:module'
import path from 'node:path'
import { defineConfig } from 'vite'
import { bundledLicences } from './bundled-licences.ts'

const fileAt = (file: string) => path.join(import.meta.dirname, file)
const external = [
  'electron',
  'keytar',
  'node:sqlite',
  ...builtinModules,
  ...builtinModules.map((name) => `node:${name}`),
]

/**
 * Main, its thread and the archive's process as ES modules; the preload as one CommonJS file, since a
 * sandboxed one can be nothing else.
 */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  logLevel: 'warn',
  // The keychain's module is not bundled: it goes along as it is.
  plugins: [bundledLicences('licences.json', ['keytar'])],
  environments: {
    main: {
      consumer: 'server',
      resolve: { noExternal: true, external: ['electron', 'keytar'], conditions: ['node'] },
      build: {
        outDir: fileAt('../out/main'),
        emptyOutDir: true,
        target: 'node24',
        rolldownOptions: {
          input: {
            main: fileAt('main.ts'),
            'packing-coordinator': fileAt('packaging/pack/coordinator.ts'),
            'packing-worker': fileAt('packaging/pack/worker.ts'),
            checker: fileAt('packaging/bagit/check/checker.ts'),
            'check-worker': fileAt('packaging/bagit/check/check-worker.ts'),
            'mets-checker': fileAt('packaging/e-ark/check/checker.ts'),
            'claim-worker': fileAt('packaging/e-ark/check/claim-worker.ts'),
            'crc-worker': fileAt('packaging/entries/crc-worker.ts'),
            'package-command': fileAt('packaging/command.ts'),
            'reading-worker': fileAt('sync/worker.ts'),
            'element-worker': fileAt('sync/element-worker.ts'),
            'table-worker': fileAt('jobs/kinds/batch/table-worker.ts'),
            'questions-worker': fileAt('questions/worker.ts'),
            'local-archive': fileAt('local-archive/serve.ts'),
            'files-worker': fileAt('local-archive/files/index-worker.ts'),
            'intake-worker': fileAt('local-archive/intake/worker.ts'),
            'text-worker': fileAt('local-archive/search/text-worker.ts'),
          },
          external,
          platform: 'node',
          output: {
            format: 'es',
            entryFileNames: '[name].js',
            chunkFileNames: '[name]-[hash].js',
            comments: false,
            // Names and lines stay, for whoever reads where an error was. One character beyond Latin-1 would
            // have V8 keep two bytes for each of a script, in main and in every thread.
            minify: {
              compress: false,
              mangle: false,
              codegen: { removeWhitespace: false, asciiOnly: true },
            },
          },
        },
      },
    },
    preload: {
      consumer: 'client',
      build: {
        outDir: fileAt('../out/preload'),
        emptyOutDir: true,
        target: 'chrome152',
        minify: true,
        modulePreload: false,
        rolldownOptions: {
          input: fileAt('preload/preload.ts'),
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
