import { giveWay } from '../common/give-way.ts'
import { dialects } from '../dialects/dialects.ts'
import { serveElements } from './serve-elements.ts'

giveWay()
serveElements(dialects)
