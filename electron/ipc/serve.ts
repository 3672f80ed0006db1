import { ipcMain, type IpcMainInvokeEvent } from 'electron'

/** Whether an address is that of our own page. */
export type IsPage = (url: string) => boolean

/** Whether a call comes from our own page, in its top frame. */
export const isFromPage = ({ senderFrame }: IpcMainInvokeEvent, isPage: IsPage) =>
  senderFrame !== null && senderFrame.parent === null && isPage(senderFrame.url)

interface Answers {
  application: (name: unknown, input: unknown) => Promise<unknown>
  archive: (archive: unknown, name: unknown, input: unknown) => Promise<unknown>
}

/** Opens the two channels to the windows: only our own page, in its top frame, is answered. */
export const serveCalls = ({ application, archive }: Answers, isPage: IsPage) => {
  const checkSender = (event: IpcMainInvokeEvent) => {
    if (!isFromPage(event, isPage)) throw new Error('A call from a stranger.')
  }
  ipcMain.handle('call', (event, name: unknown, input: unknown) => {
    checkSender(event)
    return application(name, input)
  })
  ipcMain.handle('archive call', (event, id: unknown, name: unknown, input: unknown) => {
    checkSender(event)
    return archive(id, name, input)
  })
}
