import { dialects } from '../dialects/dialects.ts'
import { serveParsing } from './serve-parsing.ts'

serveParsing(dialects)
