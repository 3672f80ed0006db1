import { dialectsOf } from '../../electron/dialects/dialects.ts'
import { specification } from '../../electron/dialects/specification.ts'
import { serveReading } from '../../electron/sync/serve-reading.ts'
import { shelf } from './dialect.ts'
import { laterShelf } from './later-dialect.ts'

serveReading(dialectsOf(specification, shelf, laterShelf), new URL('./element-worker.ts', import.meta.url))
