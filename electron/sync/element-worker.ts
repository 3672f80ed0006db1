import { lowerPriority } from '../common/lower-priority.ts'
import { dialects } from '../dialects/dialects.ts'
import { serveElements } from './serve-elements.ts'

lowerPriority()
serveElements(dialects)
