import { parseArgs } from 'node:util'
import { packagingScripts } from '../packaging/scripts.ts'
import { startArchive } from './start.ts'
import { messageOf } from '../common/errors.ts'

/** The command line of the archive: `--data DIR`, and if wanted `--port N`, `--sample` and `--practice`. */
const start = async () => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      data: { type: 'string' },
      sample: { type: 'boolean', default: false },
      practice: { type: 'boolean', default: false },
    },
  })
  await startArchive({
    ...values,
    sampleFiles: new URL('../../resources/sample/', import.meta.url),
    textWorker: new URL('./text-worker.js', import.meta.url),
    filesWorker: new URL('./files-worker.js', import.meta.url),
    intakeWorker: new URL('./intake-worker.js', import.meta.url),
    checkScripts: packagingScripts(import.meta.url).check,
  })
}

start().catch((error: unknown) => {
  console.error(messageOf(error))
  process.exit(1)
})
