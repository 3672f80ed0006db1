import { ipcMain } from 'electron'
import * as v from 'valibot'
import { Dropped } from '../contract/checks.ts'
import { isFromPage, type IsPage } from './serve.ts'

/**
 * Hears what is dropped on the window. Only the preload can say it, which has the paths from the system; the
 * page has no such call.
 */
export const hearDrops = (
  drop: (paths: string[], place: string, archive: string) => void | Promise<void>,
  isPage: IsPage,
) => {
  ipcMain.handle('dropped', async (event, input: unknown) => {
    if (!isFromPage(event, isPage)) throw new Error('A drop from a stranger.')
    const { paths, at: place, archive } = v.parse(Dropped, input)
    await drop(paths, place, archive)
  })
}
