import type { ArchiveBridge, Bridge } from '../electron/contract/define.ts'
import type { ApplicationContract, ArchiveContract } from '../electron/contract/index.ts'

declare global {
  interface Window {
    readonly bridge: {
      readonly application: Bridge<ApplicationContract>
      readonly archive: ArchiveBridge<ArchiveContract>
    }
  }
}
