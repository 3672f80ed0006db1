import { dialog, type BrowserWindow, type OpenDialogOptions } from 'electron'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import * as v from 'valibot'
import type { Words } from '../language/words.ts'
import { openStateFile } from './state-file.ts'

type Chosen = keyof Words['dialog']['choose']
type Saved = keyof Words['dialog']['save']

const files: OpenDialogOptions['properties'] = ['openFile', 'multiSelections', 'showHiddenFiles']
const folders: OpenDialogOptions['properties'] = ['openDirectory', 'multiSelections', 'showHiddenFiles']
const oneFolder: OpenDialogOptions['properties'] = ['openDirectory', 'createDirectory', 'showHiddenFiles']

const options: Record<Chosen, OpenDialogOptions> = {
  folder: { properties: folders },
  files: { properties: files },
  profile: { properties: ['openFile'], filters: [{ name: 'JSON', extensions: ['json'] }] },
  descriptive: { properties: ['openFile'], filters: [{ name: 'XML', extensions: ['xml'] }] },
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

/** Where the last thing of a kind lay; Electron opens every dialog in the downloads since 43. */
const openLastFolders = (file: string) => {
  const state = openStateFile(file, v.record(v.string(), v.string()))
  return {
    /** Undefined where there is none, or it is there no more. */
    of: async (kind: string): Promise<string | undefined> => {
      const folder = state.read()?.[kind]
      const known = folder === undefined ? undefined : await stat(folder).catch(() => undefined)
      return known?.isDirectory() ? folder : undefined
    },
    remember: (kind: string, chosen: string) =>
      state.write({ ...state.read(), [kind]: path.dirname(chosen) }),
  }
}

interface Parts {
  window: () => BrowserWindow | undefined
  words: () => Words['dialog']
  /** Keeps the folder of each kind of dialog. */
  stateFile: string
}

/** The system's own dialogs for files, each of which opens where the last thing of its kind lay. */
export const openDialogs = ({ window, words, stateFile }: Parts) => {
  const lastFolders = openLastFolders(stateFile)
  return {
    /** Asks what is to be taken; an empty list when it was cancelled. */
    choosePaths: async (what: Chosen): Promise<string[]> => {
      const defaultPath = await lastFolders.of(what)
      const asked: OpenDialogOptions = {
        ...options[what],
        title: words().choose[what],
        buttonLabel: words().confirm,
        ...(defaultPath === undefined ? {} : { defaultPath }),
      }
      const parent = window()
      const { canceled, filePaths } = await (parent
        ? dialog.showOpenDialog(parent, asked)
        : dialog.showOpenDialog(asked))
      const [first] = filePaths
      if (canceled || first === undefined) return []
      lastFolders.remember(what, first)
      return filePaths
    },
    /** Asks where something is to be saved; undefined when it was cancelled. */
    chooseTarget: async (what: Saved, name: string): Promise<string | undefined> => {
      const asked = {
        title: words().save[what],
        defaultPath: path.join((await lastFolders.of(what)) ?? '', name),
      }
      const parent = window()
      const { canceled, filePath } = await (parent
        ? dialog.showSaveDialog(parent, asked)
        : dialog.showSaveDialog(asked))
      if (canceled || filePath === '') return undefined
      lastFolders.remember(what, filePath)
      return filePath
    },
  }
}
