import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { readLongList, serveList } from '../../../archives/long-list.ts'
import { packageAt } from '../../../bench/many-packages.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'
import { openElementThread, type ElementThread } from '../../../../electron/sync/element-thread.ts'
import { builtFile } from '../../../support/built.ts'
import { scratch } from '../../../support/scratch.ts'

const place = scratch()
let copies = 0
const newFile = () => path.join(place.folder, `${(copies += 1)}.sqlite`)
/** Some megabytes: the first is read where the rows are written, and the rest in another thread. */
const packages = JSON.stringify(Array.from({ length: 900 }, (_, number) => packageAt(number)))

const labelOrderOf = (file: string) => {
  using database = new DatabaseSync(file, { readOnly: true })
  return database.prepare(`select name, sql from sqlite_schema where name like '%_by_label' order by 1`).all()
}
/** That of a copy that nothing was read into. */
const labelOrderOfNew = () => {
  const file = newFile()
  openLocalCopy(file).close()
  return labelOrderOf(file)
}

/** Looks at a copy when the first element of the rest of its list comes. */
const lookingAt = (file: string, look: (labelOrder: unknown[]) => void): ElementThread => {
  const elementThread = openElementThread(builtFile('element-worker.js'), String)
  return (writer, subject) => {
    const readInThread = elementThread(writer, subject)
    return (rest, from, take) => {
      let isFirst = true
      return readInThread(rest, from, (element) => {
        if (isFirst) look(labelOrderOf(file))
        isFirst = false
        take(element)
      })
    }
  }
}

test('the order of labels is made once a long list has come for the first time', async () => {
  using server = await serveList(packages)
  const file = newFile()
  const looks: unknown[] = []
  const read = () =>
    readLongList(
      server.url,
      lookingAt(file, (labelOrder) => looks.push(labelOrder)),
      file,
    )
  expect((await read()).found.failure).toBeNull()
  expect(labelOrderOfNew()).toHaveLength(2)
  expect(labelOrderOf(file)).toEqual(labelOrderOfNew())
  // What is held is known by its text: nothing is read in another thread, and the order stays.
  expect((await read()).found.failure).toBeNull()
  expect(looks).toEqual([[]])
  expect(labelOrderOf(file)).toEqual(labelOrderOfNew())
})

test('the order of labels is made of what came where the rest does not come', async () => {
  using server = await serveList(packages.slice(0, -1_000))
  const file = newFile()
  const { found } = await readLongList(
    server.url,
    lookingAt(file, () => undefined),
    file,
  )
  expect(found.failure).not.toBeNull()
  expect(labelOrderOf(file)).toEqual(labelOrderOfNew())
})

test('a copy whose program ended while a long list came gets its order of labels when it is opened', () => {
  const file = newFile()
  openLocalCopy(file).close()
  const database = new DatabaseSync(file)
  database.exec('drop index package_top_by_label')
  database.close()
  openLocalCopy(file).close()
  expect(labelOrderOf(file)).toEqual(labelOrderOfNew())
})
