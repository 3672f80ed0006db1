import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

/** Who may import whom: rooms of ours by path, libraries by name, `node` for Node's own modules. */
const mayImport: Record<string, string[]> = {
  // Of what is common, that which knows no Node: the page reads the contract too.
  'electron/contract': [
    'valibot',
    'electron/contract',
    'electron/common/errors.ts',
    'electron/common/records.ts',
  ],
  'electron/language': ['electron/contract', 'electron/common/records.ts'],
  'electron/replace-file.ts': ['node'],
  // What several rooms do in the same way: threads, statements, errors, accents, what goes on by itself.
  'electron/common': ['node'],
  'electron/settings': [
    'electron/contract',
    'electron/common',
    'electron/replace-file.ts',
    'node',
    'valibot',
  ],
  'electron/vault': ['electron/contract', 'electron/common', 'electron/replace-file.ts', 'node', 'valibot'],
  // The desk's own file: nothing in it is an archive's.
  'electron/store/desk': [
    'electron/contract',
    'electron/common',
    'electron/store/open-database.ts',
    'electron/store/search/local-matches.ts',
    'electron/store/lists/size-ranges.ts',
    'node',
    'valibot',
  ],
  // The file of one archive, and who writes it.
  'electron/store/cache': [
    'electron/contract',
    'electron/archive-client',
    'electron/dialects',
    'electron/common',
    'electron/store/open-database.ts',
    'electron/store/search/query-text.ts',
    'node',
  ],
  // One reading of a list, until it is taken over.
  'electron/store/reading': [
    'electron/contract',
    'electron/archive-client',
    'electron/dialects',
    'electron/common',
    'electron/store/cache',
    'node',
  ],
  // What is asked of the cache: words, and rows of lists in an order.
  'electron/store/search': [
    'electron/contract',
    'electron/dialects',
    'electron/common',
    'electron/store/cache',
    'electron/store/lists/package-filters.ts',
    'node',
  ],
  'electron/store/lists': [
    'electron/contract',
    'electron/dialects',
    'electron/common',
    'electron/store/cache',
    'electron/store/desk/message-columns.ts',
    'electron/store/desk/desk-store.ts',
    'node',
  ],
  'electron/store': ['electron/contract', 'electron/common', 'node'],
  'electron/packaging': [
    'electron/contract',
    'electron/common',
    'electron/language',
    'electron/replace-file.ts',
    'node',
    'valibot',
    'csv-parse',
    'write-excel-file',
    'file-type',
    'filenamify',
    'saxes',
  ],
  'electron/archive-client': ['electron/contract', 'electron/common', 'node', 'undici'],
  'electron/dialects': [
    'electron/archive-client',
    'electron/contract',
    'electron/common',
    'node',
    'valibot',
    'htmlparser2',
  ],
  // It refuses what the check of packages refuses, in the same words.
  'electron/local-archive': [
    'electron/contract/failure.ts',
    'electron/language/findings.ts',
    'electron/contract/findings.ts',
    'electron/contract/mailbox.ts',
    'electron/packaging/check-threads.ts',
    'electron/packaging/entries',
    'electron/packaging/format.ts',
    'electron/packaging/formats.ts',
    'electron/packaging/pack/tar.ts',
    'electron/packaging/scripts.ts',
    'electron/packaging/small-package.ts',
    'electron/common',
    'node',
    'tar-stream',
    'yauzl',
    'htmlparser2',
    'unpdf',
    'postal-mime',
    'resources',
  ],
  'electron/archives': [
    'electron/common',
    'electron/contract',
    'electron/archive-client',
    'electron/dialects',
    'electron/store',
    'electron/sync',
    'electron/vault',
    'node',
    'valibot',
  ],
  'electron/sync': [
    'electron/contract',
    'electron/archive-client',
    'electron/dialects',
    'electron/common',
    'electron/store',
    'node',
  ],
  'electron/jobs/kinds': [
    'electron/common',
    'electron/contract',
    'electron/jobs',
    'electron/archive-client',
    'electron/dialects',
    'electron/store',
    'electron/packaging',
    'node',
    'valibot',
    'csv-parse',
    'fflate',
    'saxes',
  ],
  'electron/jobs': ['electron/contract', 'electron/store', 'node'],
  'electron/reader': [
    'electron/contract',
    'electron/archive-client',
    'electron/dialects',
    'electron/packaging',
    'electron/common',
    'node',
  ],
  'electron/comparisons': ['electron/contract', 'electron/dialects'],
  'electron/orders': ['electron/contract', 'electron/dialects', 'electron/store'],
  'electron/questions': [
    'electron/contract',
    'electron/dialects',
    'electron/orders',
    'electron/common',
    'electron/store',
  ],
  'electron/features': [
    'electron/common',
    'electron/comparisons',
    'electron/jobs',
    'electron/archives',
    'electron/contract',
    'electron/language/findings.ts',
    'electron/language/messages.ts',
    'electron/archive-client',
    'electron/dialects',
    'electron/store',
    'electron/orders',
    'electron/packaging',
    'electron/replace-file.ts',
    'electron/questions',
    'electron/reader',
    'electron/sync',
    'node',
  ],
  'electron/ipc': ['electron/contract', 'electron', 'valibot'],
  'electron/shell': [
    'electron',
    'electron/common',
    'electron/contract',
    'electron/language',
    'electron/replace-file.ts',
    'electron/vault',
    'node',
    'valibot',
  ],
  'electron/log.ts': ['node'],
  'electron/preload': ['electron', 'electron/contract'],
  'electron/updates': [
    'electron/archive-client',
    'electron/contract',
    'electron/replace-file.ts',
    'node',
    'valibot',
  ],
  // Put together without Electron, so that everything the desk does can be tried without it.
  'electron/desk': [
    ...[
      'archive-client',
      'archives',
      'contract',
      'dialects',
      'features',
      'ipc/send-news.ts',
      'jobs',
      'packaging',
      'questions',
      'reader',
      'common',
      'store',
      'sync',
      'updates',
      'vault',
    ].map((room) => `electron/${room}`),
    'node',
  ],
  'electron/main.ts': ['electron', 'electron/', 'node'],
  'electron/windows.ts': ['electron', 'electron/', 'node'],
  'electron/services.ts': ['electron', 'electron/', 'node'],
  // Part of each build: it writes down what went into it.
  'electron/bundled-licences.ts': ['node', 'vite', 'electron/common/records.ts'],
  'electron/vite.config.ts': ['node', 'vite', 'electron/bundled-licences.ts'],
  'renderer/parts': [
    '@lucide/svelte',
    'svelte',
    'renderer/language',
    'renderer/state/announce.svelte.ts',
    'renderer/state/command.svelte.ts',
    'electron/contract',
    'electron/common/records.ts',
    'electron/language/bidi.ts',
  ],
  'renderer/language': [
    'electron/common/records.ts',
    'electron/language/archive-words.ts',
    'electron/language/findings.ts',
    'electron/language/messages.ts',
  ],
  'renderer/state': [
    'svelte',
    'renderer/bridge.svelte.ts',
    'renderer/language',
    'electron/contract',
    'electron/common/records.ts',
  ],
  // The pages of the guide are written in Markdown.
  'renderer/pages/help': [
    'marked',
    'electron/common/fold.ts',
    'renderer/bridge.svelte.ts',
    'renderer/pages/search/Marked.svelte',
    'renderer/parts',
    'renderer/state',
    'renderer/language',
    'electron/contract',
  ],
  // The codes on slips.
  'renderer/pages/orders': [
    'svelte',
    'qr',
    'renderer/pages/frame/Split.svelte',
    'renderer/pages/frame/list-acts.ts',
    'renderer/parts',
    'renderer/state',
    'renderer/language',
    'electron/contract',
  ],
  // What a frame says is read by a schema.
  'renderer/pages/reader': [
    'svelte',
    'valibot',
    'renderer/viewer/messages.ts',
    'renderer/pages/frame/focus.ts',
    'electron/common/records.ts',
    'renderer/bridge.svelte.ts',
    'renderer/parts',
    'renderer/state',
    'renderer/language',
    'electron/contract',
  ],
  'renderer/pages': [
    'electron/common/fold.ts',
    'electron/common/records.ts',
    'svelte',
    'renderer/bridge.svelte.ts',
    'renderer/parts',
    'renderer/state',
    'renderer/language',
    'electron/contract',
  ],
  // Drawn in a frame of its own, which knows nothing of the desk.
  'renderer/viewer/vite.config.ts': ['node', 'vite', 'electron/bundled-licences.ts'],
  'renderer/viewer': [
    'electron/common/records.ts',
    'electron/common/spreadsheet-numbers.ts',
    'electron/contract/file-endings.ts',
    'electron/contract/mailbox.ts',
    '@cornerstonejs/codec-openjpeg',
    '@journeyapps/wa-sqlite',
    '@kenjiuno/msgreader',
    '@zip.js/zip.js',
    'buffer',
    'chardet',
    'docx-preview',
    'dompurify',
    'exifreader',
    'fflate',
    'geotiff',
    'htmlparser2',
    'libheif-js',
    'marked',
    'openseadragon',
    'pdfjs-dist',
    'postal-mime',
    'pst-extractor',
    'renderer/language/viewer.en.ts',
    'renderer/language/viewer.sv.ts',
  ],
  'renderer/bridge.svelte.ts': ['electron/contract'],
  'renderer/App.svelte': ['svelte', 'renderer/'],
  'renderer/main.ts': ['svelte', 'renderer/'],
  'renderer/vite.config.ts': ['node', 'vite', '@sveltejs/vite-plugin-svelte', 'electron/bundled-licences.ts'],
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

/** What a file says, without its comments. */
const codeOf = (file: string) =>
  readFileSync(path.join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')

const nameOf = (file: string, imported: string) => {
  if (imported.startsWith('node:')) return 'node'
  if (!imported.startsWith('.'))
    return imported
      .split('/')
      .slice(0, imported.startsWith('@') ? 2 : 1)
      .join('/')
  return path.posix.join(path.posix.dirname(file), imported)
}

/** Whether a name of the table stands for what is imported. */
const standsFor = (allowed: string, name: string) =>
  allowed.endsWith('/') ? name.startsWith(allowed) : name === allowed || name.startsWith(`${allowed}/`)

const isAllowed = (room: string, name: string) =>
  [room, ...(mayImport[room] ?? [])].some((allowed) => standsFor(allowed, name))

test('every file lives in a room', () => {
  // Where nothing was found, nothing below can fail.
  expect(files.length).toBeGreaterThan(1_000)
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

test('rooms are allowed what they import, and nothing more', () => {
  const unused = Object.entries(mayImport).flatMap(([room, allowed]) => {
    const imported = files
      .filter((file) => roomOf(file) === room)
      .flatMap((file) => importsOf(file).map((name) => nameOf(file, name)))
    return allowed
      .filter((name, index) => allowed.indexOf(name) < index || !imported.some((one) => standsFor(name, one)))
      .map((name) => `${room}: ${name}`)
  })
  expect(unused).toEqual([])
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

test('whole lists are read by the threads that answer, never by the one that hears the window', () => {
  const scans = ['electron/store/cache/full-scans.ts', 'electron/store/desk/job-scans.ts']
  // Orders are put together in the thread too; the others are read part by part.
  const answering = ['electron/questions/', 'electron/orders/', 'electron/store/lists/storage-overview.ts']
  const walking = files
    .filter((file) => !answering.some((room) => file.startsWith(room)))
    .filter((file) => importsOf(file).some((imported) => scans.includes(nameOf(file, imported))))
  expect(walking).toEqual([])
  // Nor does anybody else write questions of their own to what is held.
  const asking = files
    .filter((file) =>
      /^electron\/(features|jobs|orders|desk|archives|sync\/notices|ipc|shell|main)/.test(file),
    )
    .filter((file) =>
      /\.prepare\([`']|\bDatabaseSync\b|common\/statements/.test(readFileSync(path.join(root, file), 'utf8')),
    )
  expect(asking).toEqual([])
})

/**
 * Functions of the store that read as many rows as there are, and why main may ask them all the same. Whoever
 * adds one says here what keeps it short; else it gets a limit, or is asked in the thread that answers.
 */
const short: Record<string, string> = {
  archives: 'each was added by a person',
  batches: 'each was opened by a person; a line of an index, its rows are not read',
  due: 'each is told at once, so few wait; what comes while nothing may be told is one digest',
  generations: 'of one package',
  halfTold: 'of the moment at which a desk ended',
  identified: 'of one identifier',
  inPackage: 'of one package; no more are kept than 50 000 of all',
  incomplete: 'one a list of the archive',
  ingestFolders: 'few differ',
  leftTransfers: 'what was being worked at when a desk ended: three are sent and a few packed at a time',
  named: 'of one name',
  openTransferIds: 'ids alone; what is done with each is done in slices',
  restoredTransfers: 'after a backup came back, until the archive was asked for them',
  sendingCreations: 'one is sent at a time',
  shrunk: 'one a list of the archive',
  statusesOf: 'of the ids that are given',
  transfersOfIds: 'the rows of one page of the list, by their ids',
  unreadable: 'its statement has a limit',
  views: 'each was kept by a person',
  where: 'of one package, or of one transfer',
}

/** What is loaded with a file, through all that it imports. */
const loadedWith = (file: string, loaded = new Set<string>()): Set<string> => {
  if (loaded.has(file) || !files.includes(file)) return loaded
  loaded.add(file)
  for (const imported of importsOf(file)) loadedWith(nameOf(file, imported), loaded)
  return loaded
}

/** Functions of a file that read all rows of a question: by their names, those that open a part left out. */
const readingAll = (file: string): string[] => {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  const isOfFile = (node: ts.Node): node is ts.VariableDeclaration =>
    ts.isVariableDeclaration(node) && node.parent.parent.parent === source
  const found: string[] = []
  const look = (node: ts.Node) => {
    const isOffered =
      ts.isPropertyAssignment(node) || (isOfFile(node) && !/^open[A-Z]/.test(node.name.getText(source)))
    if (isOffered && node.initializer) {
      const text = ts.isArrowFunction(node.initializer) ? node.initializer.getText(source) : ''
      const isBounded = /\blimit\b|\bmost\b|\b(?:id|subject) = \?/i.test(text)
      if (/\.all\(|\.iterate\(|\bmany\(/.test(text) && !isBounded) found.push(node.name.getText(source))
    }
    ts.forEachChild(node, look)
  }
  look(source)
  return found
}

test('main asks the store for a page, for a count or for one thing, and for all only of what is short', () => {
  const ofMain = ['electron/store/desk/desk-store.ts', 'electron/store/cache/caches.ts']
  const held = new Set(ofMain.flatMap((file) => [...loadedWith(file)]))
  const all = new Set([...held].filter((file) => file.startsWith('electron/store/')).flatMap(readingAll))
  const main = files.filter((file) =>
    /^electron\/(features|jobs|desk|archives|ipc|shell|main|sync\/(notices|refresh|seen|stored-searches))/.test(
      file,
    ),
  )
  const texts = main.map((file) => readFileSync(path.join(root, file), 'utf8'))
  const asked = [...all].filter((name) =>
    texts.some((text) => new RegExp(`\\.${name}\\b(?! =)|\\b${name}\\(`).test(text)),
  )
  expect(asked.toSorted()).toEqual(Object.keys(short))
})

test('main has no client that reads whole lists: what is long in an archive is read by a thread', () => {
  const reading = ['read-contents', 'read-increment', 'read-lists', 'read-recent', 'serve-lookups'].map(
    (name) => `electron/sync/${name}.ts`,
  )
  const elsewhere = files
    .filter((file) => !file.startsWith('electron/dialects/') && !file.startsWith('electron/archive-client/'))
    .filter((file) => /\bListClient\b|\.elements\(|\bopenClient\b/.test(codeOf(file)))
  // Main opens the client that it asks single things by, as one without lists.
  expect(elsewhere.toSorted()).toEqual(['electron/desk/archives.ts', ...reading])
  const listing = files
    .filter((file) => /^electron\/(features|jobs|desk|archives|ipc|shell|main)/.test(file))
    .filter((file) => /(\b(client|archive)|[cC]lient(Of)?\(\w*\))\??\.list\(|\blist\(['`]/.test(codeOf(file)))
  expect(listing).toEqual([])
})

test('features never import features', () => {
  const between = files
    .filter((file) => file.startsWith('electron/features/'))
    .flatMap((file) => importsOf(file).map((imported) => `${file} imports ${nameOf(file, imported)}`))
    .filter((line) => line.includes('imports electron/features/'))
  expect(between).toEqual([])
})

test('the engine knows no kind of job, and kinds know each other only where a batch packs transfers', () => {
  const kindOf = (name: string) => /^electron\/jobs\/kinds\/([^/]+)/.exec(name)?.[1]
  const known = files
    .filter((file) => file.startsWith('electron/jobs/'))
    .flatMap((file) =>
      importsOf(file)
        .map((imported) => [kindOf(file), kindOf(nameOf(file, imported))])
        .filter(([from, to]) => to !== undefined && to !== from)
        .map(([from, to]) => `${from ?? 'engine'} → ${to}`),
    )
  expect([...new Set(known)]).toEqual(['batch → transfer'])
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
  const defended = ['en', 'sv', 'viewer.en', 'viewer.sv'].map((name) => `renderer/language/${name}.ts`)
  const long = files.filter((file) => readFileSync(path.join(root, file), 'utf8').split('\n').length > 450)
  expect(long.filter((file) => !defended.includes(file))).toEqual([])
})

test('a kind of file is drawn by less than 150 lines of its own', () => {
  const kinds = globSync('renderer/viewer/kinds/*.ts', { cwd: root })
  expect(kinds.length).toBeGreaterThan(30)
  expect(
    kinds.filter((file) => readFileSync(path.join(root, file), 'utf8').split('\n').length > 150),
  ).toEqual([])
})

test('comments end where code does, at 110 columns', () => {
  const isComment = /^\s*(\/\*\*|\* |\/\/|<!--)/
  const sources = [...files, ...globSync('test/**/*.{ts,mjs}', { cwd: root })]
  const long = sources.flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        isComment.test(line) && [...line].length > 110 && !line.includes('eslint-disable')
          ? [`${file}:${index + 1}`]
          : [],
      ),
  )
  expect(long).toEqual([])
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

/**
 * The names that archives give their fields: those of the specification, and whatever else dialects read or
 * write. Ours have capitals where theirs have underscores.
 */
const wireWords = () => {
  const sources = [
    'test/conformance/specification.ts',
    ...files.filter((file) => file.startsWith('electron/dialects/')),
  ]
  const texts = sources.map((file) => readFileSync(path.join(root, file), 'utf8'))
  return new Set(
    texts.flatMap(
      (text) => text.match(/\b(?:[a-z]+(?:_[a-z]+)+|event(?:Type|Detail|Outcome)|LockedBy)\b/g) ?? [],
    ),
  )
}

test('nobody but dialects knows what an archive calls its fields', () => {
  const knowing = [
    'electron/dialects/',
    // A server, with an interface of its own to be true to.
    'electron/local-archive/',
    // What a person calls a field or a permission that an archive names: entries are looked up by what it
    // says.
    'renderer/language/',
    // PREMIS of what is packed.
    'electron/packaging/e-ark/premis.ts',
    // Records of PREMIS and other standards, drawn as they are.
    'renderer/viewer/',
    // Headings of tables that people bring.
    'electron/jobs/kinds/batch/mapping.ts',
    // The kinds of indexes that a search asks for; words of the contract, which one dialect shares.
    'renderer/pages/search/',
    'electron/contract/search.ts',
    'electron/store/search/found-filters.ts',
  ]
  const words = wireWords()
  const found = files
    .filter((file) => !knowing.some((room) => file.startsWith(room)))
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
      return [...text.matchAll(/\b[A-Za-z]+(?:_[a-z]+)*\b/g)]
        .map(([word]) => word)
        .filter((word) => words.has(word))
        .map((word) => `${file}: ${word}`)
    })
  expect([...new Set(found)]).toEqual([])
})

test('nobody but dialects decides by a state or a code of an archive', () => {
  // What a person reads, and the server that says it.
  const saying = [
    'electron/dialects/',
    'electron/local-archive/',
    'electron/language/',
    'renderer/language/',
    // What earlier versions wrote, with what it is called now.
    'electron/store/desk/former-names.ts',
  ]
  const words = [
    /'(?:(?:Preserv|Prepar|Creat|Receiv|Submitt|Upload)(?:ing|ed)|FAILURE|SUCCESS|REVOKED|critical|30000|30300)'/g,
    // A pattern that looks for such a word in what an archive wrote.
    /\/[^/\n]*(?:preserv|bevarad|\bfail|refus|pending|started|ing\$)[^/\n]*\/[a-z]*\.test\(/g,
    // A number that stands for something; those of HTTP are called status.
    /\bcode === \d|^ *code: number/gm,
    // The name of a field, as a choice between archives.
    /\bnameField\b|Field: '/g,
  ]
  const found = files
    .filter((file) => !saying.some((room) => file.startsWith(room)))
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8')
      return words.flatMap((word) => text.match(word) ?? []).map((word) => `${file}: ${word}`)
    })
  expect(found).toEqual([])
})

test('nobody but packaging knows what a package is packed as', () => {
  const knowing = [
    'electron/packaging/',
    // What a person reads.
    'electron/language/',
    'renderer/language/',
    // What is built, by its path.
    'electron/vite.config.ts',
    // What earlier versions wrote, with what it is called now.
    'electron/store/desk/former-names.ts',
    // Below the files of a package stands what packs them.
    'electron/contract/packaging-files.ts',
    'renderer/pages/reader/file-order.ts',
  ]
  const found = files
    .filter((file) => !knowing.some((room) => file.startsWith(room)))
    .flatMap((file) =>
      [
        ...readFileSync(path.join(root, file), 'utf8').matchAll(
          /\w*(?:\b|_)bags?(?=\b|[A-Z_]|it|ging)\w*|\w*Bag\w*/g,
        ),
      ].map(([word]) => `${file}: ${word}`),
    )
  expect(found).toEqual([])
})

test('dialects are known by their interface: only what puts the product together names one', () => {
  const shared = [
    'dialect.ts',
    'dialects.ts',
    'models.ts',
    'listing.ts',
    'lookups.ts',
    'sign-in-page.ts',
  ].map((file) => `electron/dialects/${file}`)
  const named = files
    .filter((file) => !file.startsWith('electron/dialects/'))
    .flatMap((file) => importsOf(file).map((imported) => ({ file, name: nameOf(file, imported) })))
    .filter(({ name }) => name.startsWith('electron/dialects/') && !shared.includes(name))
  expect(named).toEqual([])
})
