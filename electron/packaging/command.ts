import path from 'node:path'
import { parseArgs } from 'node:util'
import { bagIt } from './bagit/bagit.ts'
import { draftFrom, formatFrom, problemSentence, profileFrom, type OrderedPackage } from './command-draft.ts'
import { BadUsage, checkAt, codes, endWith, makeAt, say, type Code } from './command-output.ts'
import { orderedLabels } from './e-ark/describe.ts'
import { checkPackage } from './formats.ts'
import { packagingScripts, type PackagingScripts } from './scripts.ts'

const usage = `npm run package -- create SOURCE… DEST [--format bagit|e-ark] [--form folder|tar|zip]
  [--algorithm sha256|sha512]… [--info Key=Value]… [--identify] [--polite]
  of bags: [--profile FILE]
  of E-ARK SIPs: [--version 2.2.0|2.1.0] [--descriptive FILE] [--schemas FOLDER] [--representations]
npm run package -- validate PATH [--format bagit|e-ark] [--profile FILE]
npm run bag is the same of bags alone.

--profile names a BagIt profile that a bag has to meet, --descriptive a file that describes the package,
  --schemas a folder of schemas that go with it in place of that of METS; --representations makes each folder
  among the sources a representation of its own. A SIP has one algorithm.
--info of a bag has any label of bag-info.txt; of an E-ARK SIP
  ${orderedLabels.slice(0, 6).join(', ')},
  ${orderedLabels.slice(6).join(', ')},
  and dc:title, dc:subject and the others of Dublin Core; "CREATOR …" is who submits it, and one is needed.
Progress goes to standard error, findings and a summary as JSON lines to standard output. Ends with 0 (valid),
  1 (invalid) or 2 (not a package, or unreadable).
A work that was stopped goes on when it is given the same order again.
`

/** Says what a draft lacks before it is packed. @returns of how many things */
const sayProblems = ({ format, draft }: OrderedPackage): number => {
  const problems = format.plan(draft).profile?.problems ?? []
  for (const problem of problems) {
    const detail = [problem.rule, problem.detail].filter(Boolean).join(': ')
    const message = problemSentence(problem)
    say({ level: 'error', code: 'profile', file: '', line: null, detail, message })
  }
  return problems.length
}

interface CreateOptions {
  isIdentified: boolean
  isPolite: boolean
  scripts: PackagingScripts
}

const create = (
  sources: string[],
  dest: string,
  ordered: OrderedPackage,
  { isIdentified, isPolite, scripts }: CreateOptions,
): Promise<Code> => {
  const { format, draft } = ordered
  const sayLacking = () => sayProblems(ordered)
  const making = { form: draft.form, sayLacking, isPolite, isIdentified, scripts: scripts.pack }
  return makeAt(dest, making, (target, packing) => format.write({ ...draft, sources }, target, packing))
}

/**
 * Checks a package of the format that is named, or else of any. Profiles are of bags, so where one is given
 * nothing else will do.
 */
const validate = (
  file: string,
  named: { format?: string | undefined; profile?: string | undefined },
  scripts: PackagingScripts,
): Promise<Code> => {
  const format = named.format === undefined ? undefined : formatFrom(named.format)
  if (named.profile !== undefined && (format ?? bagIt) !== bagIt) throw new BadUsage('Profiles are of bags.')
  const profile = named.profile === undefined ? undefined : profileFrom(named.profile)
  return checkAt(file, (listener) => {
    const options = { scripts: scripts.check, ...listener }
    if (profile !== undefined) return bagIt.check(file, { ...options, profile })
    return format ? format.check(file, options) : checkPackage(file, options)
  })
}

const readArguments = () =>
  parseArgs({
    allowPositionals: true,
    options: {
      format: { type: 'string' },
      version: { type: 'string' },
      form: { type: 'string', default: 'folder' },
      algorithm: { type: 'string', multiple: true, default: ['sha256'] },
      info: { type: 'string', multiple: true, default: [] },
      profile: { type: 'string' },
      descriptive: { type: 'string' },
      schemas: { type: 'string' },
      representations: { type: 'boolean', default: false },
      identify: { type: 'boolean', default: false },
      polite: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })

await endWith(async () => {
  const { values, positionals } = readArguments()
  const [command, ...places] = positionals
  const scripts = packagingScripts(import.meta.url)
  if (values.help || command === undefined) {
    const output = values.help ? process.stdout : process.stderr
    output.write(usage)
    return values.help ? codes.valid : codes.unusable
  }
  // npm runs scripts in the project's folder; paths are meant from where the person is.
  process.chdir(process.env['INIT_CWD'] ?? '.')
  const paths = places.map((place) => path.resolve(place))
  const last = paths.pop()
  if (command === 'create' && last !== undefined && paths.length > 0) {
    const { identify: isIdentified, polite: isPolite } = values
    return create(paths, last, await draftFrom(values), { isIdentified, isPolite, scripts })
  }
  if (command === 'validate' && last !== undefined && paths.length === 0)
    return validate(last, values, scripts)
  process.stderr.write(usage)
  return codes.unusable
})
