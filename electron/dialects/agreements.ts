import type { Client } from '../archive-client/http.ts'
import type { Agreement, AgreementField } from '../contract/agreements.ts'

/** What packages are sent under, and what it asks for of each of them. */
export interface AgreementsPart {
  /** The submission agreements that one may choose. */
  agreements: (archive: Pick<Client, 'list'>) => Promise<Agreement[]>
  /** What packages under an agreement are described by. */
  fieldsOf: (archive: Pick<Client, 'get'>, agreement: string) => Promise<AgreementField[]>
  /** The same out of held records, as the archive gave them; null where these do not say it. */
  fieldsIn: (
    held: (list: 'submission-agreements' | 'profiles', id: string) => unknown,
    agreement: string,
  ) => AgreementField[] | null
  /** Whether the archive itself makes representations of what is sent under an agreement. */
  makesRepresentations: (archive: Pick<Client, 'get'>, agreement: string) => Promise<boolean>
}
