import { dialects } from '../dialects/dialects.ts'
import { serveReading } from './serve-reading.ts'

serveReading(dialects, new URL('./parsing-worker.js', import.meta.url))
