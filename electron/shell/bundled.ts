import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as v from 'valibot'

const Licences = v.array(
  v.object({ name: v.string(), version: v.string(), licence: v.string(), text: v.string() }),
)

/** Where each part of the build has written what went into it. */
const lists = [
  'main/licences.json',
  'preload/licences.json',
  'renderer/licences.json',
  'viewer/licences.json',
]

/** The licences of all that was built. */
export const openBundled = (root: string) => ({
  licence: () => readFile(path.join(root, 'LICENSE'), 'utf8'),
  bundled: () =>
    Promise.all(
      lists.map(async (list) =>
        v.parse(
          v.pipe(v.string(), v.parseJson(), Licences),
          await readFile(path.join(root, 'out', list), 'utf8'),
        ),
      ),
    ),
})
