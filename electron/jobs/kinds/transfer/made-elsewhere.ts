import { rm } from 'node:fs/promises'
import path from 'node:path'
import { Failed } from '../../../contract/failure.ts'
import type { PackageReport } from '../../../contract/findings.ts'
import { isSubmissible } from '../../../contract/identifier.ts'
import { longestDescription, longestTag, type PackingSettings } from '../../../contract/transfers.ts'
import { writableAlgorithms } from '../../../packaging/digests.ts'
import { formatNamed, isAccepted } from '../../../packaging/formats.ts'
import { suffixOf } from '../../../packaging/pack/serializations.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'

const longestLine = 255

/** What is longer than a form holds ends with an ellipsis there; in the package it stands whole. */
const cut = (text: string, most = longestLine): string =>
  text.length <= most
    ? text
    : `${text
        .slice(0, most - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`

/** How a package was made that a check found valid; over the interface one file goes, or each by itself. */
const packingOf = (
  report: PackageReport | null,
  isOverInterface: boolean,
): Omit<PackingSettings, 'isPolite'> => {
  if (report?.state !== 'valid' || !isAccepted(report.format))
    throw new Failed({ kind: 'conflict', detail: report?.state ?? 'not-a-package' })
  const { format, version, algorithms } = report
  const { sentForms, isNamedAsIdentifier } = formatNamed(format)
  const form = sentForms.find((sent) => sent === report.form)
  // What is sent on is kept under another name.
  const isMisnamed = form === 'folder' && isNamedAsIdentifier
  if (form === undefined || isMisnamed || (isOverInterface && form === 'zip'))
    throw new Failed({ kind: 'conflict', detail: report.form })
  const algorithm = writableAlgorithms.find((known) => algorithms.includes(known)) ?? 'sha256'
  return { format, version, form, algorithm, upload: form === 'folder' ? 'each file' : 'one file' }
}

/** What a package says of itself, as a draft would say the same. */
const formOf = (
  blank: KeptTransfer,
  { format, info }: PackageReport,
  from: string,
  isOverInterface: boolean,
): KeptTransfer['form'] => {
  const said = formatNamed(format).describe(info)
  const named = said.identifier || path.parse(from).name
  // What cannot be the package's identifier there is still in the package.
  const canBe = named.length <= longestLine && (!isOverInterface || isSubmissible({ identifier: named }))
  const identifier = canBe ? named : blank.id
  return {
    ...blank.form,
    name: cut(said.name || named),
    identifier,
    description: cut(said.description, longestDescription),
    organization: cut(said.organization),
    address: cut(said.address),
    person: cut(said.person),
    email: cut(said.email),
    tags: Object.fromEntries(said.further.map(([label, value]) => [cut(label), cut(value, longestTag)])),
  }
}

/** A transfer of a package whose copy was found valid at this desk. */
const preparedOf = (
  blank: KeptTransfer,
  report: PackageReport,
  from: string,
  { isOverInterface, now }: { isOverInterface: boolean; now: Date },
): KeptTransfer => {
  const packing = packingOf(report, isOverInterface)
  const moment = now.toISOString()
  return {
    ...blank,
    state: 'prepared',
    made: moment,
    changed: moment,
    counts: report.counts,
    packing: { ...packing, isPolite: blank.packing.isPolite },
    profileText: null,
    form: formOf(blank, report, from, isOverInterface),
    sip: {
      path: report.path,
      form: packing.form,
      algorithm: packing.algorithm,
      counts: report.counts,
      skipped: 0,
      // Both come of packing, and nobody packed it at this desk.
      manifest: '',
      content: '',
      formats: null,
    },
    times: { ...blank.times, prepared: moment },
  }
}

/** A package that was checked where it lies, and how it is copied to this desk. */
interface CheckedPackage {
  path: string
  /** What the check found; null where it is no package. */
  report: PackageReport | null
  /** @returns what was found of the copy; undefined where a person stopped it */
  copy: (to: string) => Promise<PackageReport | undefined>
}

/**
 * Copies a package that was made elsewhere; it is checked once more where it lies then.
 * @param blank a draft with nothing in it
 * @param packagesFolder where packages of this desk lie
 * @returns a transfer that is prepared; undefined where a person stopped the copying
 * @throws Failed conflict where no valid package was found of a format and form that is sent; else as the
 * copying does
 */
export const madeElsewhere = async (
  blank: KeptTransfer,
  packagesFolder: string,
  { path: from, report: checked, copy }: CheckedPackage,
  { isOverInterface, now }: { isOverInterface: boolean; now: () => Date },
): Promise<KeptTransfer | undefined> => {
  const { form } = packingOf(checked, isOverInterface)
  const target = path.join(packagesFolder, `${blank.id}${suffixOf(form)}`)
  const report = await copy(target)
  if (!report) return undefined
  try {
    return preparedOf(blank, report, from, { isOverInterface, now: now() })
  } catch (error) {
    // It was replaced by a package of another kind since it was checked.
    await rm(target, { recursive: true, force: true })
    throw error
  }
}
