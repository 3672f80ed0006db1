import { lowerPriority } from '../common/lower-priority.ts'
import { dialects } from '../dialects/dialects.ts'
import { serveReading } from './serve-reading.ts'

lowerPriority()
serveReading(dialects, new URL('./element-worker.js', import.meta.url))
