import { openProxySettings } from './proxy.ts'

type Decide = (contents: unknown, permission: string, callback: (isAllowed: boolean) => void) => void
type Check = (contents: unknown, permission: string, origin: string) => boolean

/** What Electron calls the permissions that the web calls so. */
const permissions: Record<string, string> = {
  geolocation: 'geolocation',
  notifications: 'notifications',
  camera: 'media',
  microphone: 'media',
  midi: 'midi',
  'clipboard-read': 'clipboard-read',
  'clipboard-write': 'clipboard-sanitized-write',
  'idle-detection': 'idle-detection',
  'window-management': 'window-management',
}

/** As in Electron everything is granted that no handler denies. */
const defaultSession = {
  decide: undefined as Decide | undefined,
  check: undefined as Check | undefined,
  setPermissionRequestHandler: (handler: Decide | null) => {
    defaultSession.decide = handler ?? undefined
  },
  setPermissionCheckHandler: (handler: Check | null) => {
    defaultSession.check = handler ?? undefined
  },
  ...openProxySettings(),
  /**
   * Asks the handlers for every permission that a page of this origin could ask for. Chromium is told
   * beforehand, since it asks nobody.
   */
  permissionsFor: async (contents: unknown, origin: string) =>
    Promise.all(
      Object.entries(permissions).map(async ([name, permission]) => {
        const { decide, check } = defaultSession
        const mayUse = check?.(contents, permission, origin) ?? true
        const mayAsk = await new Promise<boolean>((done) =>
          decide ? decide(contents, permission, done) : done(true),
        )
        return { name, setting: mayUse && mayAsk ? 'granted' : 'denied' }
      }),
    ),
}
export const session = { defaultSession }
