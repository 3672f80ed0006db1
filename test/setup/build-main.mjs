import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { createBuilder } from 'vite'

const root = path.resolve(import.meta.dirname, '../..')
const built = path.join(root, 'out/main/main.js')

const changedMs = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
/** The latest change below a folder, removals too. */
const newestIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).reduce(
    (newest, entry) => Math.max(newest, changedMs(path.join(entry.parentPath, entry.name))),
    changedMs(folder),
  )

/**
 * Builds main and the scripts of its threads, where a source changed since. Tests and tools run what the
 * product runs: a thread that loads a .ts file has Node strip it in WebAssembly, and many of those side by
 * side can end the whole process (V8, SIGTRAP).
 */
const buildMain = async () => {
  const newest = Math.max(
    newestIn(path.join(root, 'electron')),
    ...['package-lock.json', 'resources/sample-holdings.json', 'resources/sample/packages.json'].map((file) =>
      changedMs(path.join(root, file)),
    ),
  )
  if (changedMs(built) >= newest) return
  const builder = await createBuilder({ configFile: path.join(root, 'electron/vite.config.ts') })
  await builder.buildApp()
}
export default buildMain

if (import.meta.filename === process.argv[1]) await buildMain()
