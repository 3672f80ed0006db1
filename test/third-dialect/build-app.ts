import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { createBuilder } from 'vite'

const root = path.resolve(import.meta.dirname, '../..')
const shelf = path.join(import.meta.dirname, 'dialect.ts')

/**
 * Builds the app with the made-up dialect beside its own: the product's files, but for the one that lists the
 * dialects. @returns the folder of the app
 */
export const buildWithShelf = async (): Promise<string> => {
  const folder = path.join(root, 'out/app-shelf')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(path.join(folder, 'out'), { recursive: true })
  for (const name of ['package.json', 'resources', 'out/renderer', 'out/viewer', 'out/preload'])
    symlinkSync(path.join(root, name), path.join(folder, name))
  const builder = await createBuilder({
    configFile: path.join(root, 'electron/vite.config.ts'),
    environments: { main: { build: { outDir: path.join(folder, 'out/main') } } },
    plugins: [
      {
        name: 'another dialect',
        enforce: 'pre',
        transform: (code, id) => {
          if (id !== path.join(root, 'electron/dialects/dialects.ts')) return null
          const changed = code.replace('dialectsOf(specification)', 'dialectsOf(specification, shelf)')
          if (changed === code) throw new Error('The list of dialects is written in another way.')
          return `import { shelf } from ${JSON.stringify(shelf)}\n${changed}`
        },
      },
    ],
  })
  const { main } = builder.environments
  if (!main) throw new Error('Nothing is built for main.')
  await builder.build(main)
  return folder
}
