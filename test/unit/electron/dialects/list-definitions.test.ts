import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { subjects } from '../../../../electron/contract/subjects.ts'
import { listOf } from '../../../../electron/dialects/dialect.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { startArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'

/** What a version of a definition makes of one element of its list. */
interface Recorded {
  version: number
  wordsVersion: number
  /** As an archive gave it; null where the list had none. */
  element: unknown
  rows: unknown
  words: unknown
}

/** Then what another version makes is no fault: it is what is to be recorded. */
const isRecording = process.env['MODE'] === 'record'
const file = path.join(import.meta.dirname, '../../../recorded/list-definitions.jsonl')
/** A line for each list, with its name. */
const recorded = new Map(
  (existsSync(file) ? readFileSync(file, 'utf8') : '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as [string, Recorded]),
)

const definitions = subjects.flatMap((subject) => {
  const definition = listOf(specification, subject)
  return definition === undefined ? [] : [{ subject, definition }]
})

const recordOf = ({ definition }: (typeof definitions)[number], element: unknown): Recorded => ({
  version: definition.version,
  wordsVersion: specification.wordsVersion,
  element,
  rows: element === null ? [] : JSON.parse(JSON.stringify(definition.read(element, 0).rows)),
  words: element === null ? null : specification.wordsOf(element),
})

// Rows that are held know by which version of a definition they were read; a reader that changed without
// another version would leave them as they are.
for (const { subject, definition } of definitions)
  test.skipIf(isRecording)(
    `what is made of ${subject} changes with the version of its definition alone`,
    () => {
      const known = recorded.get(subject)
      if (known === undefined) return expect.fail('Record it: npm run record:lists')
      const now = recordOf({ subject, definition }, known.element)
      if (now.version === known.version && now.wordsVersion === known.wordsVersion)
        expect(now, 'Give the definition, or the words, another version: npm run record:lists.').toEqual(
          known,
        )
      else expect.fail('The definition, or the words, have another version now: npm run record:lists.')
    },
  )

test.runIf(isRecording)('what each definition makes is recorded', async () => {
  using place = scratch()
  const archive = await startArchive(path.join(place.folder, 'archive'), '--sample')
  const written: [string, Recorded][] = []
  for (const { subject, definition } of definitions) {
    const list = await archive.get(definition.path)
    const [shortest] = (Array.isArray(list) ? (list as unknown[]) : [])
      .map((element) => ({ element, length: JSON.stringify(element).length }))
      .sort((one, other) => one.length - other.length)
    const element = recorded.get(subject)?.element ?? shortest?.element ?? null
    written.push([subject, recordOf({ subject, definition }, element)])
  }
  await archive.stop()
  writeFileSync(file, `${written.map((line) => JSON.stringify(line)).join('\n')}\n`)
})
