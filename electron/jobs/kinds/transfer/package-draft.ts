import { Failed } from '../../../contract/failure.ts'
import type { DraftProfile } from '../../../contract/transfers.ts'
import { readChosen } from '../../../packaging/disk.ts'
import type { PackageDraft, PackageFormat } from '../../../packaging/format.ts'
import { formatNamed } from '../../../packaging/formats.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'

/** What a transfer is packed as. */
export const formatOf = ({ packing }: Pick<KeptTransfer, 'packing'>): PackageFormat =>
  formatNamed(packing.format)

/** A transfer in the words of packaging. @param version of this program */
export const packageDraftOf = (
  { id, form, sources, packing, profileText }: KeptTransfer,
  version: string,
  now: Date,
): PackageDraft => ({
  sources: sources.map((source) => source.path),
  form: packing.form,
  algorithms: [packing.algorithm],
  record: {
    identifier: form.identifier,
    name: form.name,
    description: form.description,
    senderIdentifier: id,
    // The archive has given it none when it is packed.
    transfer: '',
    organization: form.organization,
    address: form.address,
    person: form.person,
    email: form.email,
    further: Object.entries(form.tags),
  },
  profile: profileText,
  representations: packing.representations ?? 'one',
  ...(packing.version === undefined ? {} : { version: packing.version }),
  software: `Lectern ${version}`,
  made: now,
})

/**
 * The profile that a draft is made for, and what it asks for that the draft does not have yet; null without
 * one.
 */
export const draftProfileOf = (transfer: KeptTransfer, version: string, now: Date): DraftProfile | null =>
  formatOf(transfer).plan(packageDraftOf(transfer, version, now)).profile

/** The profile in a file that is chosen for a draft. @throws Failed bad-profile, or disk */
export const readProfileFor = async (transfer: KeptTransfer, file: string): Promise<string> => {
  const bad = (detail: string) => new Failed({ kind: 'bad-profile', path: file, detail })
  const text = (await readChosen(file, bad)).toString('utf8')
  const trouble = formatOf(transfer).troubleOfProfile(text)
  if (trouble !== null) throw bad(trouble)
  return text
}
