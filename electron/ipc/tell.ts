import { BrowserWindow } from 'electron'
import type { Contract, NewsOf } from '../contract/define.ts'

type Named<C extends Contract> = UnionToIntersection<NewsOf<C>>
type UnionToIntersection<U> = (U extends unknown ? (value: U) => void : never) extends (
  value: infer I,
) => void
  ? I
  : never

/** Tells every window something of the application. */
export type Tell<C extends Contract> = <N extends keyof Named<C> & string>(
  name: N,
  payload: Named<C>[N],
) => void
/** Tells every window something of an archive. */
export type TellOf<C extends Contract> = <N extends keyof Named<C> & string>(
  archive: string,
  name: N,
  payload: Named<C>[N],
) => void

/** A window that is being closed is passed over. */
const send = (name: string, ...values: unknown[]) => {
  for (const window of BrowserWindow.getAllWindows())
    if (!window.isDestroyed() && !window.webContents.isDestroyed()) window.webContents.send(name, ...values)
}

export const tellWindows =
  <C extends Contract>(): Tell<C> =>
  (name, payload) =>
    send(name, payload)

export const tellWindowsOf =
  <C extends Contract>(): TellOf<C> =>
  (archive, name, payload) =>
    send(name, payload, archive)
