import type { IncomingMessage } from 'node:http'
import { plain, type Answer } from './answer.ts'
import type { Body } from '../database.ts'
import { chunksOf } from '../../common/chunks.ts'
import { messageOf } from '../../common/errors.ts'
import { isRecord } from '../../common/records.ts'

const largestBody = 1024 * 1024
/** What is kept is written again as JSON and embedded in lists, each level of it by a call. */
const deepestBody = 100

const isTooDeep = (value: unknown): boolean => {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepestBody) return true
    level = level.flatMap((one): unknown[] =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    )
  }
  return false
}

/**
 * Reads the JSON object in a request, of at most 1 MiB and 100 levels.
 * @returns the object, or the answer that refuses it: 400, 413 or 415
 */
export const readBody = async (request: IncomingMessage): Promise<{ body: Body } | { refusal: Answer }> => {
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/json\b/i.test(type))
    return { refusal: plain(415, `Unsupported media type "${type}" in request.`) }
  const parts: Buffer[] = []
  let length = 0
  for await (const part of chunksOf(request)) {
    length += part.length
    if (length > largestBody) return { refusal: plain(413, 'The body is larger than 1 MiB.') }
    parts.push(part)
  }
  let body: unknown
  try {
    body = JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch (error) {
    return { refusal: plain(400, `JSON parse error - ${messageOf(error)}`) }
  }
  if (!isRecord(body))
    return { refusal: { status: 400, body: { non_field_errors: ['Invalid data. Expected a dictionary.'] } } }
  return isTooDeep(body)
    ? { refusal: plain(400, `JSON parse error - more than ${deepestBody} levels of lists and objects.`) }
    : { body }
}
