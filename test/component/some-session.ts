import type { Account, Connection, SessionStatus } from '../../electron/contract/session.ts'

/** Somebody who is signed in to an archive, for good. */
export const someAccount: Account = {
  archive: 'a',
  name: 'a',
  url: 'https://a.example',
  isHere: false,
  username: 'u',
  fullName: 'U',
  keptIn: 'keychain',
  scheme: 'Token',
  endsAt: null,
  colour: 0,
}

/** How an archive is reached of which nothing was read yet. */
export const someConnection: Connection = {
  state: 'online',
  asOf: null,
  lookedAt: null,
  refreshing: false,
  failure: null,
  unreadable: [],
  shrunk: [],
  incomplete: [],
}

/** Somebody signed in to an archive that is reached so. */
export const reached = (state: Connection['state']): SessionStatus => ({
  archives: [{ account: someAccount, connection: { ...someConnection, state } }],
  lastUrl: '',
  lastUsername: '',
})
