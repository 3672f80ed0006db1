import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { BadUsage, checkAt, codes, endWith, makeAt, say, type Code } from './command-output.ts'
import { isWritableAlgorithm } from './digests.ts'
import { orderedLabels } from './e-ark/describe.ts'
import { eArkSip, eArkVersions } from './e-ark/layout.ts'
import { readSchemas, SchemasTrouble } from './e-ark/read-schemas.ts'
import { Failed } from '../contract/failure.ts'
import type { DraftProfile } from '../contract/transfers.ts'
import type { DescriptiveFile, Label, PackageDraft, PackageFormat } from './format.ts'
import { checkPackage, formatNamed } from './formats.ts'
import { serializations } from './pack/plan.ts'
import { packagingScripts, type PackagingScripts } from './scripts.ts'

const usage = `npm run package -- create SOURCE… DEST --format bagit|e-ark [--version 2.2.0|2.1.0]
  [--form folder|tar|zip] [--algorithm sha256|sha512] [--info Key=Value]… [--descriptive FILE]
  [--schemas FOLDER] [--representations] [--identify] [--polite]
npm run package -- validate PATH

--descriptive names a file that describes the package, --schemas a folder of schemas that go with it in place
  of that of METS; --representations makes each folder among the sources a representation of its own. Progress
  goes to standard error, findings and a summary as JSON lines to standard output. Ends with 0 (valid),
  1 (invalid) or 2 (not a package, or unreadable).
--info of an E-ARK SIP has ${orderedLabels.slice(0, 6).join(', ')},
  ${orderedLabels.slice(6).join(', ')},
  and dc:title, dc:subject and the others of Dublin Core; "CREATOR …" is who submits it, and one is needed.
A work that was stopped goes on when it is given the same order again.
`

/** What formats are called in an order, and the names that are kept with packages. */
const formatNames: Readonly<Record<string, string>> = { bagit: 'bagit', 'e-ark': eArkSip }

const labelFrom = (pair: string): Label => {
  const separator = pair.indexOf('=')
  if (separator < 1) throw new BadUsage(`“${pair}” is not Key=Value.`)
  const [label, value] = [pair.slice(0, separator).trim(), pair.slice(separator + 1)]
  if (label === '' || /:\s|\p{Cc}/u.test(label)) throw new BadUsage(`“${label}” is no label.`)
  // Node gives U+FFFD for bytes of an argument that are no UTF-8.
  if (pair.includes('\uFFFD') || !pair.isWellFormed()) throw new BadUsage(`“${pair}” is not text in UTF-8.`)
  if (/\p{Cc}/u.test(value))
    throw new BadUsage(`The value of “${label}” has a line break or another control sign.`)
  return [label, value]
}

/** Values of an E-ARK SIP; one under a label that nothing is written of would be lost without a word. */
const eArkLabelFrom = (pair: string): Label => {
  const [label, value] = labelFrom(pair)
  if (!label.startsWith('dc:') && !orderedLabels.includes(label))
    throw new BadUsage(`An E-ARK SIP has no “${label}”; there are ${orderedLabels.join(', ')} and dc:….`)
  return [label, value]
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

interface CreateOptions {
  format: PackageFormat
  draft: Omit<PackageDraft, 'sources'>
  isIdentified: boolean
  isPolite: boolean
  scripts: PackagingScripts
}

/** What an order lacks, and how it is given. */
const problemSentence = ({ rule, label, detail }: DraftProfile['problems'][number]): string => {
  if (rule === 'submitter')
    return 'Who submits it is needed: --info "CREATOR ORGANIZATION=…" or --info "CREATOR INDIVIDUAL=…".'
  if (rule === 'OBJID') return `“${detail}” can name no folder, so it is no identifier of a package.`
  if (rule === 'element') return `Dublin Core has no element “${detail}”.`
  return `“${label ?? rule}” has none of the values that are allowed: ${detail}.`
}

/** Says what a draft lacks before it is packed. */
const sayProblems = ({ format, draft }: CreateOptions): number => {
  const problems = format.plan(draft).profile?.problems ?? []
  for (const problem of problems) {
    const detail = [problem.rule, problem.detail].filter(Boolean).join(': ')
    const message = problemSentence(problem)
    say({ level: 'error', code: 'profile', file: '', line: null, detail, message })
  }
  return problems.length
}

const create = (sources: string[], dest: string, options: CreateOptions): Promise<Code> => {
  const { format, draft, isIdentified, isPolite, scripts } = options
  const sayLacking = () => sayProblems(options)
  const making = { form: draft.form, sayLacking, isPolite, isIdentified, scripts: scripts.pack }
  return makeAt(dest, making, (target, packing) => format.write({ ...draft, sources }, target, packing))
}

const validate = (file: string, scripts: PackagingScripts): Promise<Code> =>
  checkAt(file, (listener) => checkPackage(file, { scripts: scripts.check, ...listener }))

const optionsOf = () =>
  parseArgs({
    allowPositionals: true,
    options: {
      format: { type: 'string', default: 'bagit' },
      version: { type: 'string' },
      form: { type: 'string', default: 'folder' },
      algorithm: { type: 'string', default: 'sha256' },
      info: { type: 'string', multiple: true, default: [] },
      descriptive: { type: 'string' },
      schemas: { type: 'string' },
      representations: { type: 'boolean', default: false },
      identify: { type: 'boolean', default: false },
      polite: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })

/** The version of this program, as its package.json says it. */
const programVersion = (): string => {
  const read: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return typeof read === 'object' && read !== null && 'version' in read ? String(read.version) : ''
}

/** What is ordered, as a draft of the format that it names. */
const draftOf = async (values: ReturnType<typeof optionsOf>['values'], at: (file: string) => string) => {
  const name = Object.hasOwn(formatNames, values.format) ? formatNames[values.format] : undefined
  if (name === undefined) throw new BadUsage(`“${values.format}” is no format; there are bagit and e-ark.`)
  const form = serializations.find((known) => known === values.form)
  if (!form) throw new BadUsage(`“${values.form}” is no form; there are ${serializations.join(', ')}.`)
  if (!isWritableAlgorithm(values.algorithm))
    throw new BadUsage('New packages are made with sha256 or sha512.')
  const { version, descriptive, schemas } = values
  const isOfEArk = values.representations || (version ?? descriptive ?? schemas) !== undefined
  if (name !== eArkSip && isOfEArk)
    throw new BadUsage('Versions, representations, descriptive files and schemas are of E-ARK SIPs.')
  if (version !== undefined && !eArkVersions.some((known) => known === version))
    throw new BadUsage(`“${version}” is no version; there are ${eArkVersions.join(', ')}.`)
  const format = formatNamed(name)
  const draft: CreateOptions['draft'] = {
    form,
    algorithms: [values.algorithm],
    record: format.describe(values.info.map(name === eArkSip ? eArkLabelFrom : labelFrom)),
    profile: null,
    representations: values.representations ? 'each folder' : 'one',
    software: `Lectern ${programVersion()}`,
    made: new Date(),
    ...(version === undefined ? {} : { version }),
    ...(descriptive === undefined ? {} : { descriptive: await descriptiveFrom(format, at(descriptive)) }),
    ...(schemas === undefined ? {} : { schemas: schemasFrom(at(schemas)) }),
  }
  return { format, draft }
}

await endWith(async () => {
  const { values, positionals } = optionsOf()
  const [command, ...places] = positionals
  const scripts = packagingScripts(import.meta.url)
  if (values.help || command === undefined) {
    const output = values.help ? process.stdout : process.stderr
    output.write(usage)
    return values.help ? codes.valid : codes.unusable
  }
  // npm runs scripts in the project's folder; paths are meant from where the person is.
  const at = (file: string) => path.resolve(process.env['INIT_CWD'] ?? '', file)
  const paths = places.map(at)
  const last = paths.pop()
  if (command === 'create' && last !== undefined && paths.length > 0)
    return create(paths, last, {
      ...(await draftOf(values, at)),
      isIdentified: values.identify,
      isPolite: values.polite,
      scripts,
    })
  if (command === 'validate' && last !== undefined && paths.length === 0) return validate(last, scripts)
  process.stderr.write(usage)
  return codes.unusable
})
