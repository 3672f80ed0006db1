import { dialectsOf } from '../../electron/dialects/dialects.ts'
import { specification } from '../../electron/dialects/specification.ts'
import { serveQuestions } from '../../electron/questions/serve-questions.ts'
import { laterShelf } from './later-dialect.ts'
import { shelf } from './dialect.ts'

serveQuestions(dialectsOf(specification, shelf, laterShelf))
