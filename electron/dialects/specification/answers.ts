import * as v from 'valibot'
import { badAnswer } from '../../archive-client/answers.ts'
import { conventions } from './conventions.ts'

/**
 * What an archive answered, as a schema wants it.
 * @param path where it answered so, below the base of its conventions
 * @throws Failed server-broke unexpected where it is something else: that is no mistake of this program
 */
export const readAnswer = <Schema extends v.GenericSchema>(
  schema: Schema,
  answer: unknown,
  path: string,
): v.InferOutput<Schema> => {
  const read = v.safeParse(schema, answer)
  if (read.success) return read.output
  const source = { address: `/${conventions.base}${path}`, status: 200 }
  throw badAnswer(source, 'unexpected', `${v.summarize(read.issues)}\n${JSON.stringify(answer)}`)
}
