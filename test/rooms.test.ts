import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

/** Who may import whom: rooms of ours by path, libraries by name, `node` for Node's own modules. */
const mayImport: Record<string, string[]> = {
  'electron/contract': ['valibot', 'electron/contract'],
  'electron/language': ['electron/contract'],
  'electron/replace-file.ts': ['node'],
  'electron/settings': ['electron/contract', 'electron/replace-file.ts', 'node', 'valibot'],
  'electron/vault': ['electron/contract', 'electron/replace-file.ts', 'node', 'valibot'],
  'electron/store': ['electron/contract', 'electron/archive-client', 'node', 'valibot'],
  'electron/packaging': [
    'electron/contract',
    'electron/language',
    'electron/replace-file.ts',
    'node',
    'valibot',
    'csv-parse',
    'file-type',
    'filenamify',
  ],
  'electron/archive-client': ['electron/contract', 'node', 'undici', 'valibot'],
  // It refuses what the check of bags refuses, in the same words.
  'electron/local-archive': [
    'electron/contract/failure.ts',
    'electron/language/findings.ts',
    'electron/packaging/check/check.ts',
    'electron/packaging/check/entry-names.ts',
    'electron/packaging/scripts.ts',
    'node',
    'tar-stream',
    'yauzl',
    'htmlparser2',
    'unpdf',
    'resources',
  ],
  'electron/archives': [
    'electron/contract',
    'electron/archive-client',
    'electron/store',
    'electron/sync',
    'electron/vault',
    'node',
    'valibot',
  ],
  'electron/sync': ['electron/contract', 'electron/archive-client', 'electron/store', 'node'],
  'electron/jobs': ['electron/contract', 'electron/store'],
  'electron/outbox': [
    'electron/contract',
    'electron/jobs',
    'electron/archive-client',
    'electron/store',
    'electron/packaging',
    'node',
    'valibot',
    'csv-parse',
    'read-excel-file',
  ],
  'electron/questions': ['electron/contract', 'electron/store', 'node'],
  'electron/features': [
    'electron/jobs',
    'electron/archives',
    'electron/contract',
    'electron/language/findings.ts',
    'electron/archive-client',
    'electron/store',
    'electron/outbox',
    'electron/packaging',
    'electron/replace-file.ts',
    'electron/questions',
    'electron/sync',
    'node',
  ],
  'electron/ipc': ['electron/contract', 'electron', 'valibot'],
  'electron/shell': [
    'electron',
    'electron/contract',
    'electron/language',
    'electron/replace-file.ts',
    'electron/vault',
    'node',
    'valibot',
  ],
  'electron/log.ts': ['node'],
  'electron/preload': ['electron', 'electron/contract'],
  // Put together without Electron, so that everything the desk does can be tried without it.
  'electron/desk': ['electron/store', 'node'],
  'electron/surroundings.ts': [
    'contract',
    'ipc/tell.ts',
    'jobs',
    'outbox',
    'packaging',
    'archives',
    'sync',
    'vault',
  ].map((room) => `electron/${room}`),
  'electron/compose.ts': [
    'electron/surroundings.ts',
    'electron/desk',
    'electron/replace-file.ts',
    ...[
      'archive-client',
      'contract',
      'features',
      'ipc/tell.ts',
      'jobs',
      'outbox',
      'packaging',
      'questions',
      'archives',
      'store',
      'sync',
      'vault',
    ].map((room) => `electron/${room}`),
    'node',
  ],
  'electron/main.ts': ['electron', 'electron/', 'node'],
  'electron/vite.config.ts': ['node', 'vite'],
  'renderer/parts': ['svelte', 'renderer/language', 'electron/contract', 'electron/language/bidi.ts'],
  'renderer/language': ['svelte', 'electron/language/findings.ts'],
  'renderer/state': ['svelte', 'renderer/bridge.svelte.ts', 'renderer/language', 'electron/contract'],
  // The codes on slips.
  'renderer/pages/orders': [
    'svelte',
    'qr',
    'renderer/bridge.svelte.ts',
    'renderer/parts',
    'renderer/state',
    'renderer/language',
    'electron/contract',
  ],
  'renderer/pages': [
    'svelte',
    'renderer/bridge.svelte.ts',
    'renderer/parts',
    'renderer/state',
    'renderer/language',
    'electron/contract',
  ],
  // Drawn in a frame of its own, which knows nothing of the desk.
  'renderer/preview/vite.config.ts': ['node', 'vite'],
  'renderer/preview': ['unpdf'],
  'renderer/bridge.svelte.ts': ['electron/contract'],
  'renderer/App.svelte': ['svelte', 'renderer/'],
  'renderer/main.ts': ['svelte', 'renderer/'],
  'renderer/vite.config.ts': ['node', 'vite', '@sveltejs/vite-plugin-svelte'],
  'renderer/svelte.config.js': ['@sveltejs/vite-plugin-svelte'],
}

const files = globSync(['electron/**/*.{ts,svelte}', 'renderer/**/*.{ts,js,svelte}'], { cwd: root }).map(
  (file) => file.replaceAll('\\', '/'),
)
const roomOf = (file: string) =>
  Object.keys(mayImport).find((room) => file === room || file.startsWith(`${room}/`))

const importsOf = (file: string) => {
  const text = readFileSync(path.join(root, file), 'utf8')
  return [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s+['"]([^'"]+)['"]/g,
    ),
  ].map(([, from, lazy, bare]) => from ?? lazy ?? bare ?? '')
}

const nameOf = (file: string, imported: string) => {
  if (imported.startsWith('node:')) return 'node'
  if (!imported.startsWith('.'))
    return imported
      .split('/')
      .slice(0, imported.startsWith('@') ? 2 : 1)
      .join('/')
  return path.posix.join(path.posix.dirname(file), imported)
}

const isAllowed = (room: string, name: string) =>
  name === room ||
  name.startsWith(`${room}/`) ||
  (mayImport[room] ?? []).some((allowed) =>
    allowed.endsWith('/') ? name.startsWith(allowed) : name === allowed || name.startsWith(`${allowed}/`),
  )

test('every file lives in a room', () => {
  expect(files.filter((file) => roomOf(file) === undefined)).toEqual([])
})

test('rooms import only whom they may', () => {
  const broken = files.flatMap((file) => {
    const room = roomOf(file) ?? ''
    return importsOf(file)
      .map((imported) => nameOf(file, imported))
      .filter((name) => !name.endsWith('.css') && !isAllowed(room, name))
      .map((name) => `${file} imports ${name}`)
  })
  expect(broken).toEqual([])
})

test('no import names a module that npm may leave out, since its types would be left out too', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const named = [...files, ...globSync('test/**/*.ts', { cwd: root })].flatMap((file) =>
    importsOf(file)
      .filter((imported) => nameOf(file, imported) in optionalDependencies)
      .map((imported) => `${file} imports ${imported}`),
  )
  expect(named).toEqual([])
})

test('features never import features', () => {
  const between = files
    .filter((file) => file.startsWith('electron/features/'))
    .flatMap((file) => importsOf(file).map((imported) => `${file} imports ${nameOf(file, imported)}`))
    .filter((line) => line.includes('imports electron/features/'))
  expect(between).toEqual([])
})

test('nobody imports main, and only the door touches window.bridge', () => {
  expect(
    files
      .flatMap((file) => importsOf(file).map((imported) => nameOf(file, imported)))
      .filter((name) => name === 'electron/main.ts'),
  ).toEqual([])
  expect(
    files.filter(
      (file) =>
        file !== 'renderer/bridge.svelte.ts' &&
        readFileSync(path.join(root, file), 'utf8').includes('window.bridge'),
    ),
  ).toEqual([])
})

test('no file of ours is longer than 450 lines without a reason', () => {
  // The dictionaries are lists of sentences: splitting one would part what belongs together.
  const defended = ['renderer/language/en.ts', 'renderer/language/sv.ts']
  const long = files.filter((file) => readFileSync(path.join(root, file), 'utf8').split('\n').length > 450)
  expect(long.filter((file) => !defended.includes(file))).toEqual([])
})

test('every text of a component comes from the dictionary', () => {
  const markup = (text: string) =>
    text
      .replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<!--[\s\S]*?-->/g, '')
      // Expressions may hold markup of their own; innermost first, until none is left.
      .replace(/=>/g, '')
  const withoutBraces = (text: string): string => {
    const less = text.replace(/\{[^{}]*\}/g, '')
    return less === text ? text : withoutBraces(less)
  }
  const texts = files
    .filter((file) => file.endsWith('.svelte'))
    .flatMap((file) =>
      [
        ...withoutBraces(markup(readFileSync(path.join(root, file), 'utf8')))
          .replace(/<[^>]*>/g, '\n')
          .matchAll(/\p{L}{3,}/gu),
      ].map(([word]) => `${file}: ${word}`),
    )
    .filter((line) => !line.endsWith(': Lectern') && !line.endsWith(': nbsp'))
  expect(texts).toEqual([])
})
