import { dialects } from '../dialects/dialects.ts'
import { serveReading } from './serve-reading.ts'

serveReading(dialects, new URL('./element-worker.js', import.meta.url))
