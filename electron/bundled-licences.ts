import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { entryIn } from './common/records.ts'

/** A package that went into the build, as it says itself. */
interface Bundled {
  name: string
  version: string
  licence: string
  /** Its licence as it stands in the package; empty where the package has none. */
  text: string
}

const modules = path.join(import.meta.dirname, '../node_modules')

/** The folder of the package that a module is of; undefined where the module is ours. */
const packageOf = (module: string): string | undefined => {
  const [file = ''] = module.replaceAll('\\', '/').split('?')
  if (file.startsWith('\0vite/')) return path.join(modules, 'vite')
  if (file.startsWith('\0rolldown/')) return path.join(modules, 'rolldown')
  const [, folder] = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(file) ?? []
  return folder
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** What is in a package of somebody else's, and not said by its licence. */
const inside: Record<string, string> = {
  unpdf: 'PDF.js, Apache-2.0',
  'pdfjs-dist':
    'typefaces: BSD-3-Clause (Foxit), OFL-1.1 (Liberation); CMaps: BSD-3-Clause (Adobe); ' +
    'decoders: BSD-2-Clause (OpenJPEG), BSD-3-Clause (PDFium)',
}

const read = (folder: string): Bundled => {
  const manifest: unknown = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const said: Record<string, unknown> =
    typeof manifest === 'object' && manifest !== null ? { ...manifest } : {}
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)(\.\w+)?$/i.test(name))
  return {
    name: textOf(said['name']),
    version: textOf(said['version']),
    licence: [textOf(said['license']), entryIn(inside, textOf(said['name']))].filter(Boolean).join('; '),
    text: file === undefined ? '' : readFileSync(path.join(folder, file), 'utf8').trim(),
  }
}

/** What lies among our own files and is somebody else's: it says by which right. */
const schema = path.join(import.meta.dirname, '../resources/mets-schema.json')
const readSchema = (): Bundled => {
  const read: unknown = JSON.parse(readFileSync(schema, 'utf8'))
  const said: Record<string, unknown> = typeof read === 'object' && read !== null ? { ...read } : {}
  return {
    name: textOf(said['name']),
    version: textOf(said['version']),
    licence: textOf(said['licence']),
    text: textOf(said['notice']),
  }
}

/**
 * Writes beside what is built which packages went into it, with their licences: those whose code is left, and
 * those of typefaces.
 * @param fileName of the list
 * @param others packages that are not bundled but go along
 */
export const bundledLicences = (fileName: string, others: string[] = []): Plugin => {
  let root = ''
  return {
    name: 'bundled-licences',
    configResolved(config) {
      root = config.root
    },
    generateBundle(_options, bundle) {
      const files = Object.values(bundle).flatMap((built) =>
        built.type === 'chunk'
          ? built.moduleIds
          : built.originalFileNames.map((file) => path.resolve(root, file)),
      )
      const folders = files.map(packageOf).filter((folder) => folder !== undefined)
      const all = new Set([...folders, ...others.map((name) => path.join(modules, name))])
      const schemas = files.some((file) => path.resolve(file) === schema) ? [readSchema()] : []
      const licences = [...[...all].map(read), ...schemas].toSorted((a, b) => a.name.localeCompare(b.name))
      this.emitFile({ type: 'asset', fileName, source: `${JSON.stringify(licences, null, 1)}\n` })
    },
  }
}
