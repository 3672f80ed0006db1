import type { Client } from '../archive-client/http.ts'
import type { Agreement, AgreementField } from '../contract/agreements.ts'

export type HeldList = 'submission-agreements' | 'profiles' | 'deliveries'
/** Gives the record of a list that has this id, as the archive gave it; undefined where none is held. */
export type HeldOf = (list: HeldList, id: string) => unknown

/** What an agreement says of how packages are made under it. */
export interface AgreedPackaging {
  /** Whether the archive itself makes representations of what is sent. */
  makesRepresentations: boolean
  /** What its profiles say; the METS profile that is wanted may be among it, by its address. */
  texts: string[]
}

/** What packages are sent under, and what it asks for of each of them. */
export interface AgreementsPart {
  /** The submission agreements that one may choose. */
  agreements: (archive: Pick<Client, 'list'>) => Promise<Agreement[]>
  /** What packages under an agreement are described by. */
  fieldsOf: (archive: Pick<Client, 'get'>, agreement: string) => Promise<AgreementField[]>
  /** The same out of held records, as the archive gave them; null where these do not say it. */
  fieldsIn: (held: HeldOf, agreement: string) => AgreementField[] | null
  /**
   * How packages are made under an agreement, or where none is chosen under that of a delivery; empty texts
   * stand for none. What is not held is asked for.
   */
  packagingOf: (
    held: HeldOf,
    archive: Pick<Client, 'get'>,
    chosen: { agreement: string; delivery: string },
  ) => Promise<AgreedPackaging>
}
