import { giveWay } from '../common/give-way.ts'
import { dialects } from '../dialects/dialects.ts'
import { serveReading } from './serve-reading.ts'

giveWay()
serveReading(dialects, new URL('./element-worker.js', import.meta.url))
