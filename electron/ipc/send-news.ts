import { BrowserWindow } from 'electron'
import type { Contract, NewsOf } from '../contract/define.ts'

type Named<C extends Contract> = UnionToIntersection<NewsOf<C>>
type UnionToIntersection<U> = (U extends unknown ? (value: U) => void : never) extends (
  value: infer I,
) => void
  ? I
  : never

/** Sends every window news of the application. */
export type SendNews<C extends Contract> = <N extends keyof Named<C> & string>(
  name: N,
  payload: Named<C>[N],
) => void
/** Sends every window news of an archive. */
export type SendNewsOf<C extends Contract> = <N extends keyof Named<C> & string>(
  archive: string,
  name: N,
  payload: Named<C>[N],
) => void

/** A window that is being closed is passed over. */
const send = (name: string, ...values: unknown[]) => {
  for (const window of BrowserWindow.getAllWindows())
    if (!window.isDestroyed() && !window.webContents.isDestroyed()) window.webContents.send(name, ...values)
}

export const newsToWindows =
  <C extends Contract>(): SendNews<C> =>
  (name, payload) =>
    send(name, payload)

export const newsToWindowsOf =
  <C extends Contract>(): SendNewsOf<C> =>
  (archive, name, payload) =>
    send(name, payload, archive)
