import type { PackagePage } from '../../electron/contract/packages.ts'
import { toPackage } from '../../electron/dialects/specification/packages.ts'

/** A preserved package of which nothing is known beyond what every archive says. */
export const somePackagePage: PackagePage = {
  package: toPackage({ id: 'b', generation: 1 }),
  aic: null,
  generations: [],
  opensGenerations: true,
  copies: [],
  wanted: 3,
  isPreserved: true,
  policyName: null,
  informationClass: null,
  agreementName: null,
  timeLine: [],
  raw: '{}',
  asOf: null,
}
