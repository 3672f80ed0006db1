import { svelte } from '@sveltejs/vite-plugin-svelte'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const at = (file: string) => path.join(import.meta.dirname, file)

const units = ['test/*.test.ts', 'test/unit/**/*.test.ts']
/** Kinds of files that are drawn, each in a Chromium. */
const viewers = [
  'hostile',
  'hits',
  'attacks',
  'pictures',
  'pdf',
  'databases',
  'letters',
  'office',
  'containers',
  'recordings',
  'descriptions',
  'text',
  'tables',
  'access',
  'frame',
]
/**
 * Files that take more than five seconds on two cores, those first that take longest: they begin first, so
 * that none is left alone in the end. `npm run test:fast` leaves them out.
 */
const thorough = [
  'desk/torture',
  'packaging/hostile-e-ark',
  'desk/bags-at-the-desk',
  'desk/e-ark-at-the-desk',
  'packaging/hostile-bags',
  'packaging/packing',
  'packaging/e-ark-checking',
  'packaging/e-ark-packing',
  'desk/desk',
  'packaging/bag-properties',
  'local-archive/local-archive',
  'jobs/outbox',
  'sync/recent',
  'archives/capabilities',
  'reader/reader',
  'comparisons/comparisons',
  'sync/element-thread',
  'local-archive/turns',
  'features/reading',
  'jobs/submission-reception',
  'jobs/submission-containers',
  'jobs/submission-sending',
  'jobs/submission-generations',
  'jobs/submission-at-the-desk',
  'jobs/submission-ownership',
  'jobs/submission-comparing',
  'jobs/submission-agreements',
  'packaging/container-programs',
  'desk/essarch',
  'desk/restored-in-place',
  'packaging/checking',
  'packaging/check-threads',
  'local-archive/ingest',
  'archives/archive-desks',
  'store/backups',
  'packaging/package-command',
  'store/bundles',
  'store/cache-file',
  'store/endless-lists',
  'dialects/essarch-recordings',
  'jobs/job-model',
  'sync/listening',
  'local-archive/accounts',
  'local-archive/files',
  'local-archive/groups',
  'local-archive/indexing',
  'local-archive/limits',
  'local-archive/strict',
  'local-archive/visibility',
  'store/local-copy',
  'sync/notices',
  'jobs/submission',
  'sync/sync',
  'jobs/transfer-model',
  'vault/vault',
  'archive-client/whole-list',
  'desk/following',
  'desk/proposed-format',
  'dialects/essarch-description',
  'local-archive/practice-archive',
  'local-archive/search',
  'orders/orders',
  'jobs/downloads',
  // Short, but in modules of its own: those of the fast ones keep a clock that other files began.
  'archive-client/slow-line',
]
  .map((name) => `test/unit/electron/${name}.test.ts`)
  .concat('test/unit/ready.test.ts', 'test/unit/desk-rows.test.ts', 'test/unit/pack.test.ts')
  .concat(viewers.map((name) => `test/unit/viewer/${name}.test.ts`))
// One that got another name would be among the fast ones, and nobody would hear of it.
for (const file of thorough)
  if (!existsSync(at(`../${file}`))) throw new Error(`vitest.config.ts names ${file}, which is not there.`)

/** Begins with what takes longest. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = thorough.findIndex((file) => moduleId.endsWith(file))
      return place < 0 ? thorough.length : place
    }
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b))
  }
}

// Node strips and compiles the scripts of processes that tests start once, not for each of them anew.
process.env['NODE_COMPILE_CACHE'] ??= at('../node_modules/.cache/compiled')

export default defineConfig({
  root: at('..'),
  test: {
    globalSetup: [at('setup/build-main.mjs')],
    // Most wait for an archive, a clock or a disk half of their time.
    maxWorkers: availableParallelism() + 1,
    // Only what hangs is to end by it: the longest take half a minute on two quiet cores, and a busy machine
    // is slower.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        // What one file has loaded serves the next; none of them leaves anything behind in the process.
        test: { name: 'fast', environment: 'node', include: units, exclude: thorough, isolate: false },
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
          // Each file has modules and a document of its own, but no process of its own.
          pool: 'vmForks',
          include: ['test/component/**/*.test.ts'],
          setupFiles: [at('component/setup.ts')],
        },
      },
    ],
  },
})
