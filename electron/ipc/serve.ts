import { ipcMain, type IpcMainInvokeEvent } from 'electron'

/** Whether an address is that of our own page. */
export type IsPage = (url: string) => boolean

/** Whether a call comes from our own page, in its top frame. */
export const isFromPage = ({ senderFrame }: IpcMainInvokeEvent, isPage: IsPage) =>
  senderFrame !== null && senderFrame.parent === null && isPage(senderFrame.url)

/** Opens the one channel to the windows: only our own page, in its top frame, is answered. */
export const serveCalls = (answer: (name: unknown, input: unknown) => Promise<unknown>, isPage: IsPage) => {
  ipcMain.handle('call', (event, name: unknown, input: unknown) => {
    if (!isFromPage(event, isPage)) throw new Error('A call from a stranger.')
    return answer(name, input)
  })
}
