import type { Failure } from '../../contract/failure.ts'
import type { Finding } from '../../contract/findings.ts'

/** What earlier versions wrote where packages were bags and nothing else, and what the same is called now. */
export const formerSip = 'bag'
const formerKinds: Readonly<Record<string, 'bad-package'>> = { 'bad-bag': 'bad-package' }
const formerCodes: Readonly<Record<string, Finding['code']>> = { 'not-a-bag': 'not-a-package' }
const formerDoubts: Readonly<Record<string, 'package'>> = { bag: 'package' }

/** Whether orders name packages was said by the name that an archive has for one of their fields. */
export const orderLinks = `update capability set body = json_set(
     json_remove(body, '$.order.nameField'),
     '$.order.linksPackages', json(iif(body ->> '$.order.nameField' = 'label', 'false', 'true'))
   ) where body ->> '$.order.nameField' is not null`

/** A transfer's body with the SIP under its present name. */
export const withSip = (body: unknown): unknown => {
  if (typeof body !== 'object' || body === null || !(formerSip in body)) return body
  const { [formerSip]: sip, ...others } = body
  return { sip, ...others }
}

const presentFinding = (finding: Finding): Finding => {
  const code = formerCodes[finding.code]
  return code === undefined ? finding : { ...finding, code }
}

/** A failure in the words of the present contract. */
export const presentFailure = (failure: Failure): Failure => {
  const kind = formerKinds[failure.kind] ?? failure.kind
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the same fields under another kind
  const named = { ...failure, kind } as Failure
  if (named.kind === 'bad-package') return { ...named, first: presentFinding(named.first) }
  if (named.kind === 'unconfirmed') return { ...named, what: formerDoubts[named.what] ?? named.what }
  return named
}
