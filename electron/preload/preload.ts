import { contextBridge, ipcRenderer } from 'electron'
import { contract } from './contract/index.ts'
import { eachMember } from './contract/define.ts'

const call = (name: string) => (input: unknown) => ipcRenderer.invoke('call', name, input)

const listen = (name: string) => (listener: (payload: unknown) => void) => {
  const heard = (_event: unknown, payload: unknown) => listener(payload)
  ipcRenderer.on(name, heard)
  return () => ipcRenderer.off(name, heard)
}

contextBridge.exposeInMainWorld(
  'bridge',
  eachMember(contract, (name, { kind }) => (kind === 'news' ? listen(name) : call(name))),
)
