import { parseArgs } from 'node:util'
import { startArchive } from './start.ts'

/** The command line of the archive: `--data DIR`, and if wanted `--port N` and `--sample`. */
const start = async () => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      data: { type: 'string' },
      sample: { type: 'boolean', default: false },
    },
  })
  await startArchive({
    ...values,
    textWorker: new URL('./text-worker.js', import.meta.url),
    checkScripts: {
      checker: new URL('./checker.js', import.meta.url),
      hand: new URL('./check-hand.js', import.meta.url),
    },
  })
}

start().catch((error: unknown) => {
  console.error((error as Error).message)
  process.exit(1)
})
