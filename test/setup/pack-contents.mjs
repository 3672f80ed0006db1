import { extractFile, listPackage } from '@electron/asar'
import path from 'node:path'
import built from '../../electron/vite.config.ts'
import packages from '../../resources/sample/packages.json' with { type: 'json' }

const read = (asar, file) => extractFile(asar, path.normalize(file.slice(1))).toString('utf8')

/** The scripts that the build makes of main, its threads and its processes, as its own settings name them. */
const scripts = () =>
  Object.keys(built.environments.main.build.rolldownOptions.input).map((name) => `/out/main/${name}.js`)

/** What a page of the build loads. */
const loadedBy = (asar, page) =>
  [...read(asar, page).matchAll(/(?:src|href)="([^":]+)"/g)].map(([, file]) =>
    path.posix.join(path.posix.dirname(page), file),
  )

/** What the packages of the practice archive are made of. */
const sampleFiles = packages.flatMap(({ folder, generations }) =>
  generations.flatMap(({ files }) =>
    files.map(({ name, from }) => `/resources/sample/${folder}/${from}/${name}`),
  ),
)

const pages = ['/out/renderer/index.html', '/out/viewer/viewer.html']

/** What the About page shows of what each part of the build is made of. */
const licences = [
  '/out/main/licences.json',
  '/out/preload/licences.json',
  '/out/renderer/licences.json',
  '/out/viewer/licences.json',
]

/** What is wrong with a packed app, a line for each; and how many entries it has. */
export const contentsOf = (asar) => {
  const files = listPackage(asar, { isPack: false }).map((file) => file.replaceAll('\\', '/'))
  const holds = (file) => files.includes(file)
  const wanted = [
    ...scripts(),
    ...pages,
    ...pages.filter(holds).flatMap((page) => loadedBy(asar, page)),
    '/out/preload/preload.cjs',
    '/resources/tray.png',
    '/resources/icon.png',
    '/LICENSE',
    ...sampleFiles,
    ...licences,
  ]
  const unwanted = files.filter(
    (file) =>
      /^\/(test|electron|renderer|\.ci|\.github)\b|\.(ts|svelte|map)$|stand-in|package-lock|tsconfig/.test(
        file,
      ) ||
      (/^\/node_modules\/[^/]+/.test(file) && !/^\/node_modules\/keytar\b/.test(file)),
  )
  const { main } = JSON.parse(read(asar, '/package.json'))
  const wrong = [
    ...wanted.filter((file) => !holds(file)).map((file) => `missing: ${file}`),
    ...unwanted.map((file) => `unwanted: ${file}`),
    ...(holds(`/${main}`) ? [] : [`main is not there: ${main}`]),
  ]
  return { wrong, entries: files.length }
}

/**
 * What package.json says that is nobody's: `field: value`, for domains that nobody can have (RFC 2606). The
 * installers show its homepage, and its author as the maintainer.
 */
export const placeholdersOf = (manifest) =>
  ['homepage', 'author']
    .filter((field) =>
      /\.(example|test|invalid|localhost)([/>:]|$)|\bexample\.(com|net|org)\b/i.test(manifest[field]),
    )
    .map((field) => `${field}: ${manifest[field]}`)
