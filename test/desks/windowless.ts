import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Archive } from '../../electron/archives/archive.ts'
import { openDesk } from '../../electron/desk/desk.ts'
import type { Fulfils } from '../../electron/contract/define.ts'
import type { ArchiveContract } from '../../electron/contract/index.ts'
import { wordsIn } from '../../electron/language/words.ts'
import { openVault } from '../../electron/vault/vault.ts'
import { builtFile } from '../support/built.ts'
import { scripts } from '../packages/packing.ts'

type Parts = Parameters<typeof openDesk>[0]
type OpenDesk = ReturnType<typeof openDesk>
type Features = OpenDesk['features'] & {
  [F in keyof ArchiveContract]: Fulfils<ArchiveContract[F]>
}

/**
 * The features of the archive that is shown when one of them is called, as its page has them, beside those of
 * the application.
 */
export const featuresOf = (desk: OpenDesk) => {
  const shown = () => desk.archiveOf(desk.archives.last()?.id ?? '')
  const bound = Object.entries(desk.archiveFeatures).map(([feature, members]) => [
    feature,
    Object.fromEntries(
      Object.entries(members as Record<string, (archive: Archive, input: unknown) => unknown>).map(
        ([name, call]) => [name, (input: unknown) => call(shown(), input)],
      ),
    ),
  ])
  // Member by member the features of the contract; only the archive is filled in.
  return { ...desk.features, ...Object.fromEntries(bound) } as Features
}

/**
 * The desk as main puts it together, without a window: in a folder, with whatever differs from the usual. Its
 * bugs end the test.
 */
export const openWindowless = (folder: string, parts: Partial<Parts> = {}) => {
  mkdirSync(folder, { recursive: true })
  const desk = openDesk({
    folder,
    version: 'test',
    wantsUpdates: () => false,
    environment: () => ({
      versions: { version: 'test', electron: '', chromium: '', node: process.versions.node },
      settings: {
        theme: 'system',
        language: 'en',
        notices: true,
        quiet: false,
        closeToTray: true,
        startWithSystem: false,
        updates: false,
        proxy: 'system',
        proxyAddress: '',
        proxyScript: '',
      },
      isBlocked: false,
    }),
    language: () => 'en',
    now: () => new Date(),
    random: () => 0,
    reportBug: (error) => {
      throw error
    },
    warn: () => undefined,
    vault: openVault({ keychain: undefined, safe: undefined, file: path.join(folder, 'vault.json') }),
    startLocalArchive: () => Promise.reject(new Error('none here')),
    resolveProxy: () => Promise.resolve('DIRECT'),
    scripts: {
      packaging: scripts,
      reading: builtFile('reading-worker.js'),
      tables: builtFile('table-worker.js'),
      questions: builtFile('questions-worker.js'),
    },
    choose: () => Promise.resolve([]),
    chooseTarget: () => Promise.resolve(undefined),
    printPdf: () => Promise.resolve(new Uint8Array()),
    printPaper: () => Promise.resolve(true),
    notice: () => Promise.resolve(true),
    noticeMode: () => 'on',
    noticeWords: () => wordsIn('en', 'en').notices,
    showPlace: () => undefined,
    showLost: () => undefined,
    sendNews: () => undefined,
    sendNewsOf: () => undefined,
    ...parts,
  })
  return { ...desk, features: featuresOf(desk) }
}
