import type { Dialect } from '../../electron/dialects/dialect.ts'
import { list, shelf, toFacts } from './dialect.ts'

const { account } = shelf.session
/** What came after it: the same archive, whose packages are called by their signatures. */
export const laterShelf: Dialect = {
  ...shelf,
  name: 'later shelf',
  session: {
    ...shelf.session,
    accountPath: 'whois',
    account: ({ get, ...archive }) =>
      account({ ...archive, get: (path) => get(path.replace('whoami', 'whois')) }),
  },
  lists: {
    ...shelf.lists,
    packages: list('parcels', (record) => {
      const facts = toFacts(record)
      return { ...facts, label: `${facts.identifier}: ${facts.label}` }
    }),
  },
}
