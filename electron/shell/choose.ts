import { dialog, type BrowserWindow } from 'electron'
import type { Words } from '../language/words.ts'

/** Asks for a folder, for files or for the file of a profile with the system's own dialog; an empty list when it was cancelled. */
export const choosePaths = async (window: BrowserWindow | undefined, what: 'folder' | 'files' | 'profile', words: Words['dialog']): Promise<string[]> => {
  const options = {
    title: words[what],
    buttonLabel: what === 'profile' ? words.choose : words.add,
    ...(what === 'profile' ? { filters: [{ name: 'JSON', extensions: ['json'] }] } : {}),
    properties: what === 'folder' ? (['openDirectory', 'multiSelections', 'showHiddenFiles'] as const) : (['openFile', 'multiSelections', 'showHiddenFiles'] as const),
  }
  const { canceled, filePaths } = await (window
    ? dialog.showOpenDialog(window, { ...options, properties: [...options.properties] })
    : dialog.showOpenDialog({ ...options, properties: [...options.properties] }))
  return canceled ? [] : filePaths
}
