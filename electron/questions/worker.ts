import { dialects } from '../dialects/dialects.ts'
import { serveQuestions } from './serve-questions.ts'

serveQuestions(dialects)
