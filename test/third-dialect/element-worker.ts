import { dialectsOf } from '../../electron/dialects/dialects.ts'
import { specification } from '../../electron/dialects/specification.ts'
import { serveElements } from '../../electron/sync/serve-elements.ts'
import { shelf } from './dialect.ts'
import { laterShelf } from './later-dialect.ts'

serveElements(dialectsOf(specification, shelf, laterShelf))
