import type { Capabilities } from '../contract/capabilities.ts'
import { listNames, type ListName } from '../contract/lists.ts'
import type { Package } from '../contract/packages.ts'
import type { CapabilityQuestion, OrdersPart } from './dialect.ts'
import type { PackageFacts } from './models.ts'

/** What a dialect begins with whose archives are only read. */

/** Of an archive that has nothing below a package beyond the specification. */
export const nothingBelowPackages = {
  files: false,
  events: false,
  copies: false,
  steps: false,
  access: false,
  dip: false,
  denied: [],
} satisfies Capabilities['packages']

/** What an archive can do that gives lists and nothing else. */
export const readingOnly = (
  { signIn, now }: Pick<CapabilityQuestion, 'signIn' | 'now'>,
  described: readonly ListName[],
): Capabilities => ({
  ...signIn,
  asked: now.toISOString(),
  features: [],
  isPaged: true,
  isCounting: false,
  hasViews: false,
  search: 'none',
  lists: listNames.map((list) => ({
    list,
    reads: described.includes(list) ? 'yes' : 'not there',
    way: 'never',
    isChangeable: false,
  })),
  order: { linksPackages: true, types: [] },
  packages: nothingBelowPackages,
  submission: 'no',
  notifications: { markSeen: false },
  givesContents: false,
  user: { permissions: null, isSuperuser: false, organizations: [], organization: null },
})

/** A package of which an archive says no more than its facts. */
export const packageOf = (facts: PackageFacts): Package => ({
  ...facts,
  status: null,
  cached: null,
  isFirst: facts.generation === 1,
  isAgreementLocked: null,
  responsible: null,
  organization: null,
  created: null,
  entered: facts.since,
  started: null,
  ended: null,
  appraised: null,
  items: null,
  path: '',
  digest: '',
  algorithm: '',
  contentMets: null,
  packageMets: null,
  agents: [],
  acts: [],
  profiles: [],
  profilesNotAttached: [],
  workarea: [],
  newVersion: null,
  unknown: {},
})

export const noOrders: OrdersPart = {
  read: () => ({ id: '', name: '', content: '', made: null, responsible: '', packages: [] }),
  form: () => ({ fields: [], values: {} }),
  ofForm: () => ({ name: null, content: '', packages: [] }),
}
