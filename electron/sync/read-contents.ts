import { openClient } from '../archive-client/http.ts'
import { Failed, failureOf } from '../contract/failure.ts'
import { needed } from '../dialects/dialect.ts'
import type { ContentsOf } from '../dialects/models.ts'
import { holdContents } from '../store/cache/contents.ts'
import type { Writer } from '../store/cache/writer.ts'
import { reach, type Reached, type Read, type Tools } from './read-lists.ts'

/** Of what is gone, or not for this account to see, nothing new is known. */
const unlessGone = (error: unknown): undefined => {
  const kind = error instanceof Failed ? error.failure.kind : undefined
  if (kind === 'not-found' || kind === 'not-allowed') return undefined
  throw error
}

/** Reads what stands in a unit or below a node into the local copy. */
export const readContents = async (
  writer: Writer,
  of: ContentsOf,
  reached: Reached,
  { now, reportBug, signal }: Tools,
): Promise<Read> => {
  try {
    const nodes = await reach(writer, reached, { open: openClient, signal }, (client) =>
      needed(writer.dialect.contents).read(client, of).catch(unlessGone),
    )
    const hasChanged = holdContents(writer, of, nodes, now().toISOString())
    writer.commit()
    return { failure: null, complete: [], changed: hasChanged ? ['description/tags'] : [] }
  } catch (error) {
    return { failure: failureOf(error, reportBug), complete: [], changed: [] }
  }
}
