import type { Capabilities } from '../../electron/contract/capabilities.ts'

/** What an archive of the specification says that it can do. */
export const someCapabilities: Capabilities = {
  asked: '2026-01-01T00:00:00.000Z',
  features: [],
  isPaged: true,
  isCounting: true,
  hasViews: false,
  search: 'path',
  signIn: 'Token',
  tokenEnds: null,
  hasSession: false,
  lists: [{ list: 'agents', reads: 'yes', way: 'list', isChangeable: true }],
  order: { linksPackages: true, types: [] },
  packages: {
    files: true,
    events: true,
    copies: true,
    steps: true,
    access: true,
    dip: true,
    denied: [],
  },
  submission: 'no',
  notifications: { markSeen: true },
  givesContents: false,
  user: { permissions: null, isSuperuser: false, organizations: [], organization: null },
}
