import { ipcMain, type IpcMainInvokeEvent } from 'electron'

/** Whether a call comes from our own page, in its top frame. Node gives every app:// address the same origin, the string 'null'; so the address is compared by its beginning. */
export const isOurPage = ({ senderFrame }: IpcMainInvokeEvent, home: string) =>
  senderFrame !== null && senderFrame.parent === null && senderFrame.url.startsWith(home)

/** Opens the one channel to the windows: only our own page, in its top frame, is answered. */
export const serveCalls = (answer: (name: unknown, input: unknown) => Promise<unknown>, home: string) => {
  ipcMain.handle('call', (event, name: unknown, input: unknown) => {
    if (!isOurPage(event, home)) throw new Error('A call from a stranger.')
    return answer(name, input)
  })
}
