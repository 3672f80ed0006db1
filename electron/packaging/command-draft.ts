import { readFileSync } from 'node:fs'
import { Failed } from '../contract/failure.ts'
import type { DraftProfile } from '../contract/transfers.ts'
import { findingSentence } from '../language/findings.ts'
import { bagIt } from './bagit/bagit.ts'
import { profileLabel } from './bagit/describe.ts'
import { isLabel, writtenLabels } from './bagit/tag-files.ts'
import { BadUsage } from './command-output.ts'
import { isWritableAlgorithm } from './digests.ts'
import { orderedLabels } from './e-ark/describe.ts'
import { eArk } from './e-ark/e-ark.ts'
import { eArkVersions } from './e-ark/layout.ts'
import { readSchemas, SchemasTrouble } from './e-ark/read-schemas.ts'
import type { DescriptiveFile, Label, PackageDraft, PackageFormat, PackageRecord } from './format.ts'
import { serializations } from './pack/plan.ts'

/** What the command was given beside paths. */
export interface CommandOptions {
  /** A bag where none is named. */
  format?: string | undefined
  version?: string | undefined
  form: string
  algorithm: string[]
  info: string[]
  profile?: string | undefined
  descriptive?: string | undefined
  schemas?: string | undefined
  representations: boolean
}

/** A package that was ordered, but for what it holds. */
export interface OrderedPackage {
  format: PackageFormat
  draft: Omit<PackageDraft, 'sources'>
}

/** The formats by the names that they have in an order. */
const formatsByName: ReadonlyMap<string, PackageFormat> = new Map([
  ['bagit', bagIt],
  ['e-ark', eArk],
])

/** The format of a name. @throws BadUsage where it is none */
export const formatFrom = (name: string): PackageFormat => {
  const format = formatsByName.get(name)
  if (!format) throw new BadUsage(`“${name}” is no format; there are bagit and e-ark.`)
  return format
}

/** A label and value that can be written as they are, so that the package says what was ordered. */
const labelFrom = (pair: string): Label => {
  const separator = pair.indexOf('=')
  if (separator < 1) throw new BadUsage(`“${pair}” is not Key=Value.`)
  // Node gives U+FFFD for bytes of an argument that are no UTF-8.
  if (pair.includes('\uFFFD') || !pair.isWellFormed()) throw new BadUsage(`“${pair}” is not text in UTF-8.`)
  const [label, value] = [pair.slice(0, separator).trim(), pair.slice(separator + 1)]
  if (/\p{Cc}/u.test(value))
    throw new BadUsage(`The value of “${label}” has a line break or another control sign.`)
  return [label, value]
}

const bagLabelFrom = (pair: string, hasProfile: boolean): Label => {
  const [label, value] = labelFrom(pair)
  if (!isLabel(label)) throw new BadUsage(`“${label}” is no label: it may have no colon and no line break.`)
  const written = hasProfile ? [...writtenLabels, profileLabel] : writtenLabels
  if (written.some((name) => name.toLowerCase() === label.toLowerCase()))
    throw new BadUsage(`“${label}” is written by Lectern itself.`)
  return [label, value]
}

/** Values of an E-ARK SIP; one under a label that nothing is written of would be lost without a word. */
const eArkLabelFrom = (pair: string): Label => {
  const [label, value] = labelFrom(pair)
  if (!label.startsWith('dc:') && !orderedLabels.includes(label))
    throw new BadUsage(`An E-ARK SIP has no “${label}”; there are ${orderedLabels.join(', ')} and dc:….`)
  return [label, value]
}

/**
 * What a bag says of itself: the labels as they were given, in their order and repeats too. A field of the
 * record would keep one value of a label.
 */
const bagRecordOf = ({ info, profile }: CommandOptions): PackageRecord => ({
  identifier: '',
  name: '',
  description: '',
  senderIdentifier: '',
  transfer: '',
  organization: '',
  address: '',
  person: '',
  email: '',
  further: info.map((pair) => bagLabelFrom(pair, profile !== undefined)),
})

/**
 * The text of the BagIt profile in a file.
 * @throws BadUsage where it is none; the system's error where it cannot be read
 */
export const profileFrom = (file: string): string => {
  const text = readFileSync(file, 'utf8')
  const trouble = bagIt.troubleOfProfile(text)
  if (trouble !== null) throw new BadUsage(`${file} is not a BagIt profile: ${trouble}`)
  return text
}

const descriptiveFrom = (format: PackageFormat, file: string): Promise<DescriptiveFile> => {
  if (!format.readDescriptive) throw new BadUsage('Descriptive files are of E-ARK SIPs.')
  return format.readDescriptive(file).catch((error: unknown) => {
    if (!(error instanceof Failed) || error.failure.kind !== 'bad-descriptive') throw error
    const isLarge = error.failure.detail === 'too-large'
    throw new BadUsage(`${file} is ${isLarge ? 'larger than 32 MiB' : 'not XML in UTF-8'}.`, { cause: error })
  })
}

/** Why a folder of schemas is not taken. */
const schemasSentences: Record<SchemasTrouble['trouble'], (file: string) => string> = {
  none: (file) => `${file} holds no schema (XSD, DTD, RELAX NG or Schematron).`,
  'no-text': (file) => `${file} is not text in UTF-8.`,
  name: (file) => `${file}: some systems cannot store a schema under this name.`,
  'too-many': (file) => `${file} holds more than a thousand schemas, or more than 64 MB of them.`,
}

const schemasFrom = (folder: string) => {
  try {
    return readSchemas(folder)
  } catch (error) {
    if (!(error instanceof SchemasTrouble)) throw error
    throw new BadUsage(schemasSentences[error.trouble](error.path))
  }
}

/** Refuses options that say nothing of packages of a format. */
const refuseOthers = (format: PackageFormat, options: CommandOptions) => {
  const { version, descriptive, schemas, representations, profile, algorithm } = options
  const isOfEArk = representations || (version ?? descriptive ?? schemas) !== undefined
  if (format !== eArk && isOfEArk)
    throw new BadUsage('Versions, representations, descriptive files and schemas are of E-ARK SIPs.')
  if (format !== bagIt && (profile !== undefined || algorithm.length > 1))
    throw new BadUsage('Profiles and several algorithms are of bags.')
}

/** The version of this program, as its package.json says it. */
const programVersion = (): string => {
  const read: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return typeof read === 'object' && read !== null && 'version' in read ? String(read.version) : ''
}

/**
 * What is ordered, as a draft of the format that is named.
 * @throws BadUsage with the sentence where no such package can be ordered; the system's error where a file
 * that is named cannot be read
 */
export const draftFrom = async (options: CommandOptions): Promise<OrderedPackage> => {
  const format = formatFrom(options.format ?? 'bagit')
  const form = serializations.find((known) => known === options.form)
  if (!form) throw new BadUsage(`“${options.form}” is no form; there are ${serializations.join(', ')}.`)
  const algorithms = options.algorithm.filter(isWritableAlgorithm)
  if (algorithms.length !== options.algorithm.length)
    throw new BadUsage('New packages are made with sha256 or sha512.')
  refuseOthers(format, options)
  const { version, descriptive, schemas, profile } = options
  if (version !== undefined && !eArkVersions.some((known) => known === version))
    throw new BadUsage(`“${version}” is no version; there are ${eArkVersions.join(', ')}.`)
  const draft: OrderedPackage['draft'] = {
    form,
    algorithms,
    record: format === bagIt ? bagRecordOf(options) : format.describe(options.info.map(eArkLabelFrom)),
    profile: profile === undefined ? null : profileFrom(profile),
    representations: options.representations ? 'each folder' : 'one',
    software: `Lectern ${programVersion()}`,
    made: new Date(),
    ...(version === undefined ? {} : { version }),
    ...(descriptive === undefined ? {} : { descriptive: await descriptiveFrom(format, descriptive) }),
    ...(schemas === undefined ? {} : { schemas: schemasFrom(schemas) }),
  }
  return { format, draft }
}

/** What an order lacks of its format or profile, and how it is given. */
export const problemSentence = ({ rule, label, detail }: DraftProfile['problems'][number]): string => {
  if (rule === 'submitter')
    return 'Who submits it is needed: --info "CREATOR ORGANIZATION=…" or --info "CREATOR INDIVIDUAL=…".'
  if (rule === 'OBJID') return `“${detail}” can name no folder, so it is no identifier of a package.`
  if (rule === 'element') return `Dublin Core has no element “${detail}”.`
  if (rule === 'values') return `“${label ?? rule}” has none of the values that are allowed: ${detail}.`
  return findingSentence({ code: 'profile', detail: `${rule}: ${detail}` }, 'en')
}
