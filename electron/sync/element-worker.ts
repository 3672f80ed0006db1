import { dialects } from '../dialects/dialects.ts'
import { serveElements } from './serve-elements.ts'

serveElements(dialects)
