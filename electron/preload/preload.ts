import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { eachMember } from '../contract/define.ts'
import { applicationContract, archiveContract } from '../contract/index.ts'

const call = (name: string) => (input: unknown) => ipcRenderer.invoke('call', name, input)
const callOf = (name: string) => (archive: string, input: unknown) =>
  ipcRenderer.invoke('archive call', archive, name, input)

/** News of an archive say after their payload which one it is. */
const listen = (name: string) => (listener: (payload: unknown, archive: unknown) => void) => {
  const heard = (_event: unknown, payload: unknown, archive: unknown) => listener(payload, archive)
  ipcRenderer.on(name, heard)
  return () => void ipcRenderer.off(name, heard)
}

contextBridge.exposeInMainWorld('bridge', {
  application: eachMember(applicationContract, (name, { kind }) =>
    kind === 'news' ? listen(name) : call(name),
  ),
  archive: eachMember(archiveContract, (name, { kind }) => (kind === 'news' ? listen(name) : callOf(name))),
})

/**
 * What is dropped on the window is main's to look at. The page never hears the paths; main tells it what
 * became of them.
 */
const dropped = async (files: File[]) => {
  const paths = await Promise.all(files.map((file) => Promise.resolve(webUtils.getPathForFile(file))))
  const real = paths.filter((path) => path !== '')
  if (real.length > 0) {
    // Which archive is shown is the page's to say, and it says so on its root.
    // eslint-disable-next-line no-restricted-globals
    const archive = document.documentElement.dataset['archive'] ?? ''
    await ipcRenderer.invoke('dropped', { paths: real, at: location.hash, archive })
  }
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault())
addEventListener('drop', (event) => {
  if (!hasFiles(event)) return
  event.preventDefault()
  dropped([...(event.dataTransfer?.files ?? [])]).catch(reportError)
})
