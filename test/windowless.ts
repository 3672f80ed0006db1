import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { openDesk } from '../electron/compose.ts'
import { wordsIn } from '../electron/language/words.ts'
import { openVault } from '../electron/vault/vault.ts'
import { builtFile } from './built.ts'
import { scripts } from './packing.ts'

type Parts = Parameters<typeof openDesk>[0]

/** The desk as main puts it together, without a window: in a folder, with whatever differs from the usual. Its bugs end the test. */
export const openWindowless = (folder: string, parts: Partial<Parts> = {}) => {
  mkdirSync(folder, { recursive: true })
  return openDesk({
    ...{ folder, version: 'test', language: () => 'en', now: () => new Date(), random: () => 0 },
    bug: (error) => {
      throw error
    },
    warn: () => undefined,
    vault: openVault({ keychain: undefined, safe: undefined, file: path.join(folder, 'vault.json') }),
    startLocalArchive: () => Promise.reject(new Error('none here')),
    resolveProxy: () => Promise.resolve('DIRECT'),
    scripts: {
      packaging: scripts,
      reading: builtFile('reading-worker.js'),
      questions: builtFile('questions-worker.js'),
    },
    choose: () => Promise.resolve([]),
    chooseTarget: () => Promise.resolve(undefined),
    printPdf: () => Promise.resolve(new Uint8Array()),
    printPaper: () => Promise.resolve(true),
    notice: () => Promise.resolve(true),
    noticeMode: () => 'on',
    noticeWords: () => wordsIn('en', 'en').notices,
    unread: () => undefined,
    tell: () => undefined,
    ...parts,
  })
}
