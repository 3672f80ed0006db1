import { parseArgs } from 'node:util'
import { startArchive } from '../../electron/local-archive/start.ts'
import { packagingScripts } from '../../electron/packaging/scripts.ts'
import { builtFile } from '../support/built.ts'
import { essarch } from './dialect.ts'

const dialects = { specification: undefined, essarch }

/**
 * The local archive by its command line, in one of two dialects: `--data DIR [--port N]
 * [--sample | --practice] [--dialect specification|essarch]`.
 */
const start = async () => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      data: { type: 'string' },
      sample: { type: 'boolean', default: false },
      practice: { type: 'boolean', default: false },
      dialect: { type: 'string', default: 'specification' },
    },
  })
  const { dialect, ...wanted } = values
  if (dialect !== 'specification' && dialect !== 'essarch')
    throw new Error(`“${dialect}” is no dialect: it is specification or essarch.`)
  const make = dialects[dialect]
  const { data = '.' } = values
  await startArchive({
    ...wanted,
    sampleFiles: new URL('../../resources/sample/', import.meta.url),
    textWorker: builtFile('text-worker.js'),
    filesWorker: builtFile('files-worker.js'),
    intakeWorker: builtFile('intake-worker.js'),
    checkScripts: packagingScripts(builtFile('main.js').href).check,
    ...(make ? { dialect: make(data) } : {}),
  })
}

start().catch((error: unknown) => {
  console.error((error as Error).message)
  process.exit(1)
})
