import { dialog, type BrowserWindow, type OpenDialogOptions } from 'electron'
import type { Words } from '../language/words.ts'

export type Chosen = keyof Words['dialog']['choose']

const files: OpenDialogOptions['properties'] = ['openFile', 'multiSelections', 'showHiddenFiles']
const folders: OpenDialogOptions['properties'] = ['openDirectory', 'multiSelections', 'showHiddenFiles']
const oneFolder: OpenDialogOptions['properties'] = ['openDirectory', 'createDirectory', 'showHiddenFiles']

const options: Record<Chosen, OpenDialogOptions> = {
  folder: { properties: folders },
  files: { properties: files },
  profile: { properties: ['openFile'], filters: [{ name: 'JSON', extensions: ['json'] }] },
  'check-folder': { properties: folders },
  'check-files': { properties: files },
  'hand-over': { properties: oneFolder },
  'take-over': { properties: oneFolder },
  table: {
    properties: ['openFile'],
    filters: [{ name: 'CSV, XLSX', extensions: ['csv', 'tsv', 'txt', 'xlsx'] }],
  },
  'batch-folder': { properties: oneFolder },
  searches: { properties: ['openFile'], filters: [{ name: 'JSON', extensions: ['json'] }] },
}

/** Asks with the system's own dialog; an empty list when it was cancelled. */
export const choosePaths = async (
  window: BrowserWindow | undefined,
  what: Chosen,
  words: Words['dialog'],
): Promise<string[]> => {
  const asked = { ...options[what], title: words.choose[what], buttonLabel: words.confirm }
  const { canceled, filePaths } = await (window
    ? dialog.showOpenDialog(window, asked)
    : dialog.showOpenDialog(asked))
  return canceled ? [] : filePaths
}

/** Asks where something is to be saved; undefined when it was cancelled. */
export const chooseTarget = async (
  window: BrowserWindow | undefined,
  what: keyof Words['dialog']['save'],
  name: string,
  words: Words['dialog'],
): Promise<string | undefined> => {
  const asked = { title: words.save[what], defaultPath: name }
  const { canceled, filePath } = await (window
    ? dialog.showSaveDialog(window, asked)
    : dialog.showSaveDialog(asked))
  return canceled || filePath === '' ? undefined : filePath
}
