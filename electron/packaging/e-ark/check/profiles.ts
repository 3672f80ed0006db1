import { valueOf } from './mets-context.ts'
import type { XmlElement } from './read-xml.ts'

/** Versions whose rules are known. */
const versions = ['2.1.0', '2.2.0'] as const
/** The last version whose profile had no number in its address. */
const unnumbered = '2.0.4'

/** What a METS says that it follows. */
export interface MetsProfile {
  /** As it stands there. */
  name: string
  /** Whether the rules of E-ARK CSIP hold. */
  isEArk: boolean
  /** Whether those of E-ARK SIP hold as well. */
  isSip: boolean
  /** The version that it says, or empty. */
  version: string
  /** Whether its name is the very one of a version. */
  isCanonical: boolean
  /** Whether it is the Swedish specification before it became E-ARK (FGS Paketstruktur 1). */
  isFgs: boolean
}

const addressOf = (version: string) =>
  version === unnumbered
    ? 'https://earksip.dilcis.eu/profile/E-ARK-SIP.xml'
    : `https://earksip.dilcis.eu/profile/E-ARK-SIP-v${version.replaceAll('.', '-')}.xml`

/** The version whose rules are tested: the newest where it says another one. */
export const rulesVersion = (version: string): string =>
  versions.find((known) => known === version) ?? (version === unnumbered ? '2.1.0' : '2.2.0')

export const isKnownVersion = (version: string) => (versions as readonly string[]).includes(version)

/** What a METS says that it follows, by its root element. */
export const profileOf = (element: XmlElement): MetsProfile => {
  const name = valueOf(element, 'PROFILE').trim()
  const [, kind, ...numbers] = /E-ARK-(SIP|CSIP|AIP|DIP)(?:-v(\d+)-(\d+)-(\d+))?\.xml$/i.exec(name) ?? []
  const said = numbers.filter((number) => number !== undefined).join('.')
  const version = said === '' && kind !== undefined ? unnumbered : said
  // One whose name is wrong is known by the namespace of CSIP.
  const declares = element.declared.some((namespace) => /dilcis\.eu\/XML\/METS/i.test(namespace))
  const isFgs = /^https?:\/\/xml\.ra\.se\//i.test(name)
  return {
    name,
    isEArk: !isFgs && (kind !== undefined || declares),
    isSip: !isFgs && (kind?.toUpperCase() === 'SIP' || (kind === undefined && declares)),
    version,
    isCanonical: name === addressOf(version),
    isFgs,
  }
}
