import { dialog, type BrowserWindow } from 'electron'
import type { Words } from '../language/words.ts'

/** Asks for a folder or for files with the system's own dialog; an empty list when it was cancelled. */
export const choosePaths = async (window: BrowserWindow | undefined, what: 'folder' | 'files', words: Words['dialog']): Promise<string[]> => {
  const options = {
    title: words[what],
    buttonLabel: words.add,
    properties: what === 'folder' ? (['openDirectory', 'multiSelections', 'showHiddenFiles'] as const) : (['openFile', 'multiSelections', 'showHiddenFiles'] as const),
  }
  const { canceled, filePaths } = await (window
    ? dialog.showOpenDialog(window, { ...options, properties: [...options.properties] })
    : dialog.showOpenDialog({ ...options, properties: [...options.properties] }))
  return canceled ? [] : filePaths
}
