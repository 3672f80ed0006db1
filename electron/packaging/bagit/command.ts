import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { findingSentence } from '../../language/findings.ts'
import { isWritableAlgorithm, type WritableAlgorithm } from '../digests.ts'
import { checkAlgorithms, checkSerialization, checkInfo, readProfile, type Profile } from './profile.ts'
import { isLabel, writtenLabels, type Tag } from './tag-files.ts'
import { checkBag } from './check/check.ts'
import { serializations, type Serialization } from '../pack/plan.ts'
import { packagingScripts } from '../scripts.ts'
import { packBag } from './pack-bag.ts'
import { BadUsage, checkAt, codes, endWith, makeAt, say, type Code } from '../command-output.ts'

const usage = `npm run bag -- create SOURCE… DEST [--form folder|tar|zip] [--algorithm sha256|sha512]…
  [--profile FILE] [--info Key=Value]… [--identify] [--polite]
npm run bag -- validate BAG [--profile FILE]

Progress goes to standard error, findings and a summary as JSON lines to standard output. Ends with 0 (valid),
  1 (invalid) or 2 (not a bag, or unreadable).
A work that was stopped goes on when it is given the same order again.
`

const profileFrom = (file: string | undefined): Profile | undefined => {
  if (file === undefined) return undefined
  const read = readProfile(readFileSync(file, 'utf8'))
  if ('wrong' in read) throw new BadUsage(`${file} is not a BagIt profile: ${read.wrong}`)
  return read.profile
}

const profileLabel = 'BagIt-Profile-Identifier'

/** A label and value that can be written as they are, so that the bag says what was ordered. */
const tagFrom = (pair: string, profile: Profile | undefined): Tag => {
  const separator = pair.indexOf('=')
  if (separator < 1) throw new BadUsage(`“${pair}” is not Key=Value.`)
  const label = pair.slice(0, separator).trim()
  const value = pair.slice(separator + 1)
  // Node gives U+FFFD for bytes of an argument that are no UTF-8.
  if (pair.includes('\uFFFD') || !pair.isWellFormed()) throw new BadUsage(`“${pair}” is not text in UTF-8.`)
  if (!isLabel(label)) throw new BadUsage(`“${label}” is no label: it may have no colon and no line break.`)
  if (/\p{Cc}/u.test(value))
    throw new BadUsage(`The value of “${label}” has a line break or another control sign.`)
  const written = profile ? [...writtenLabels, profileLabel] : writtenLabels
  if (written.some((name) => name.toLowerCase() === label.toLowerCase()))
    throw new BadUsage(`“${label}” is written by Lectern, with what was found.`)
  return [label, value]
}

const infoFrom = (pairs: string[], profile: Profile | undefined): Tag[] => [
  ...pairs.map((pair) => tagFrom(pair, profile)),
  ['Bagging-Date', new Date().toISOString().slice(0, 10)],
  ...(profile ? [[profileLabel, profile['BagIt-Profile-Info']['BagIt-Profile-Identifier']] as Tag] : []),
]

interface CreateOptions {
  form: Serialization
  algorithms: WritableAlgorithm[]
  profile: Profile | undefined
  info: Tag[]
  isPolite: boolean
  isIdentified: boolean
  scripts: ReturnType<typeof packagingScripts>
}

/** Says what the draft of a bag breaks of its profile before it is packed; Payload-Oxum comes later. */
const sayBroken = ({ form, algorithms, profile, info }: CreateOptions): number => {
  if (!profile) return 0
  const broken = [
    ...checkInfo(profile, info),
    ...checkSerialization(profile, form),
    ...checkAlgorithms(profile, algorithms, algorithms),
  ].filter(({ label }) => label !== 'Payload-Oxum')
  for (const { rule, file, detail } of broken)
    say({
      level: 'error',
      code: 'profile',
      file,
      line: null,
      detail: `${rule}: ${detail}`,
      message: findingSentence({ code: 'profile', detail: `${rule}: ${detail}` }, 'en'),
    })
  return broken.length
}

const create = (sources: string[], dest: string, options: CreateOptions): Promise<Code> => {
  const { form, algorithms, profile, info, isPolite, isIdentified, scripts } = options
  const sayLacking = () => sayBroken(options)
  const making = { form, sayLacking, isPolite, isIdentified, scripts: scripts.pack }
  return makeAt(dest, making, (target, packing) => {
    const wanted = { sources, target, form, algorithms, info }
    return packBag(wanted, profile ? { ...packing, profile } : packing)
  })
}

const validate = (
  bag: string,
  profile: Profile | undefined,
  scripts: ReturnType<typeof packagingScripts>,
): Promise<Code> =>
  checkAt(bag, (listener) => {
    const options = { scripts: scripts.check, ...listener }
    return checkBag(bag, profile ? { ...options, profile } : options)
  })

const run = async (): Promise<Code> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      form: { type: 'string', default: 'folder' },
      algorithm: { type: 'string', multiple: true, default: ['sha256'] },
      profile: { type: 'string' },
      info: { type: 'string', multiple: true, default: [] },
      polite: { type: 'boolean', default: false },
      identify: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const [command, ...places] = positionals
  const scripts = packagingScripts(import.meta.url)
  if (values.help || command === undefined) {
    const output = values.help ? process.stdout : process.stderr
    output.write(usage)
    return values.help ? codes.valid : codes.unusable
  }
  const form = serializations.find((name) => name === values.form)
  if (!form) throw new BadUsage(`“${values.form}” is no form; there are ${serializations.join(', ')}.`)
  const algorithms = values.algorithm.filter(isWritableAlgorithm)
  if (algorithms.length !== values.algorithm.length)
    throw new BadUsage('New bags are made with sha256 or sha512.')
  const profile = profileFrom(values.profile)
  // npm runs scripts in the project's folder; paths are meant from where the person is.
  const paths = places.map((place) => path.resolve(process.env['INIT_CWD'] ?? '', place))
  const last = paths.pop()
  if (command === 'create' && last !== undefined && paths.length > 0)
    return create(paths, last, {
      form,
      algorithms,
      profile,
      info: infoFrom(values.info, profile),
      isPolite: values.polite,
      isIdentified: values.identify,
      scripts,
    })
  if (command === 'validate' && last !== undefined && paths.length === 0)
    return validate(last, profile, scripts)
  process.stderr.write(usage)
  return codes.unusable
}

await endWith(run)
