import { BrowserWindow } from 'electron'
import type { Contract, NewsOf } from '../contract/define.ts'

type Named<C extends Contract> = UnionToIntersection<NewsOf<C>>
type UnionToIntersection<U> = (U extends unknown ? (it: U) => void : never) extends (it: infer I) => void
  ? I
  : never

/** Tells every window something; a window that is being closed is passed over. */
export type Tell<C extends Contract> = <N extends keyof Named<C> & string>(
  name: N,
  payload: Named<C>[N],
) => void

export const tellWindows =
  <C extends Contract>(): Tell<C> =>
  (name, payload) => {
    for (const window of BrowserWindow.getAllWindows())
      if (!window.isDestroyed() && !window.webContents.isDestroyed()) window.webContents.send(name, payload)
  }
