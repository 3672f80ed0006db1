import type { IncomingFile } from '../archive-client/download.ts'
import type { ArchiveClient } from './dialect.ts'

/**
 * Whether the archive itself gives a file, where it is called a page: whatever stands before an archive and
 * wants to know who asks gives its own page in place of everything. Then the account is none either.
 * @throws Failed server-broke html where the archive does not answer
 */
export const checkNoSignInPage = async (
  archive: ArchiveClient,
  { type }: Pick<IncomingFile, 'type'>,
): Promise<void> => {
  if (/html/i.test(type)) await archive.dialect.session.account(archive)
}
