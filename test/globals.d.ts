import type { Bridge } from '../electron/contract/define.ts'
import type { Desk } from '../electron/contract/index.ts'

declare global {
  interface Window {
    readonly bridge: Bridge<Desk>
  }
}
