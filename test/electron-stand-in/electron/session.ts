import { openProxySettings } from './proxy.ts'

type Decide = (contents: unknown, permission: string, callback: (isAllowed: boolean) => void) => void

/** Chromium grants nothing by itself here; what the app says of permissions is kept for a test to ask. */
const defaultSession = {
  decide: undefined as Decide | undefined,
  check: undefined as (() => boolean) | undefined,
  setPermissionRequestHandler: (handler: Decide) => {
    defaultSession.decide = handler
  },
  setPermissionCheckHandler: (handler: () => boolean) => {
    defaultSession.check = handler
  },
  ...openProxySettings(),
}
export const session = { defaultSession }
