import { createHmac, randomBytes } from 'node:crypto'
import os from 'node:os'
import type { Archive } from '../archives/archive.ts'
import type { Archives } from '../archives/archives.ts'
import type { About } from '../contract/about.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import type { Fulfils } from '../contract/define.ts'
import type { diagnostics as promised } from '../contract/diagnostics.ts'
import type { Failure } from '../contract/failure.ts'
import { isStateOf, transitions, type JobKind } from '../contract/jobs.ts'
import type { Settings } from '../contract/settings.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { onDisk } from '../packaging/disk.ts'
import type { Ask } from '../questions/questions.ts'
import { replaceFile } from '../replace-file.ts'

/** What the program and this computer say of themselves. */
export interface Environment {
  versions: Pick<About, 'version' | 'electron' | 'chromium' | 'node'>
  settings: Settings
  /** Whether the system shows no notices. */
  isBlocked: boolean
}

interface Parts {
  environment: () => Environment
  archives: Pick<Archives, 'all'>
  dialectOf: (archive: string) => Dialect
  capabilitiesOf: (archive: string) => Capabilities | null
  ask: Ask
  now: () => Date
  chooseTarget: (what: 'diagnostics', name: string) => Promise<string | undefined>
}

/** Every way in which things go wrong: what the desk's data says beside these is not told. */
const failureKinds: Record<Failure['kind'], true> = {
  offline: true,
  proxy: true,
  unencrypted: true,
  'signed-out': true,
  'wrong-password': true,
  'shut-out': true,
  'not-allowed': true,
  'not-found': true,
  refused: true,
  conflict: true,
  'server-broke': true,
  disk: true,
  source: true,
  'bad-package': true,
  counts: true,
  recounted: true,
  'not-ready': true,
  'bad-profile': true,
  'bad-descriptive': true,
  profile: true,
  'bad-handover': true,
  'bad-table': true,
  'bad-searches': true,
  'other-archive': true,
  'unknown-format': true,
  'no-ingest-folder': true,
  'unreadable-job': true,
  'not-mounted': true,
  unconfirmed: true,
  'network-folder': true,
  'not-as-sent': true,
  'too-many-rows': true,
  print: true,
  'local-archive': true,
  bug: true,
}
const kindOf = (kind: string) => (Object.hasOwn(failureKinds, kind) ? kind : 'other')
const isJobKind = (kind: string): kind is JobKind => Object.hasOwn(transitions, kind)
const isDate = (text: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)

/** The settings by what was chosen; of addresses that were typed only that there are any. */
const chosen = ({ settings }: Environment) => ({
  theme: settings.theme,
  language: settings.language,
  notices: settings.notices,
  quiet: settings.quiet,
  closeToTray: settings.closeToTray,
  startWithSystem: settings.startWithSystem,
  updates: settings.updates,
  proxy: settings.proxy,
  hasProxyAddress: settings.proxyAddress !== '',
  hasProxyScript: settings.proxyScript !== '',
})

/** What of the capabilities is told: no name, and how many permissions and organizations in place of them. */
const toldCapabilities = (can: Capabilities | null) =>
  can && {
    isPaged: can.isPaged,
    isCounting: can.isCounting,
    hasViews: can.hasViews,
    search: can.search,
    submission: can.submission,
    files: can.packages.files,
    steps: can.packages.steps,
    access: can.packages.access,
    dip: can.packages.dip,
    isSuperuser: can.user.isSuperuser,
    permissions: can.user.permissions?.length ?? null,
    organizations: can.user.organizations.length,
  }

/** What is done over restarts and how far it is, and how it failed; each how often. */
const jobsOf = async (archive: Archive, ask: Ask) =>
  (await ask('jobCounts', archive.id)).map(({ kind, state, failure, last, count }) => ({
    kind: isJobKind(kind) ? kind : 'other',
    state: isJobKind(kind) && isStateOf(kind, state) ? state : 'other',
    ...(failure === '' ? {} : { failure: kindOf(failure), lastTried: isDate(last) ? last : null }),
    count,
  }))

/** An archive by how it is, without whose it is; `hashed` makes the same of the same within one file. */
const ofArchive = async (
  archive: Archive,
  hashed: (text: string) => string,
  { ask, dialectOf, capabilitiesOf }: Parts,
) => {
  const { name, url, isHere, scheme, keptIn } = archive.account()
  const { state, asOf, failure, unreadable, shrunk } = archive.connection()
  const counts = await ask('listCounts', archive.id)
  return {
    name: hashed(name),
    host: hashed(URL.parse(url)?.host ?? url),
    isHere,
    isEncrypted: url.startsWith('https:'),
    dialect: dialectOf(archive.id).name,
    scheme,
    keptIn,
    connection: state,
    asOf,
    failure: failure && kindOf(failure.kind),
    status: failure?.kind === 'server-broke' ? failure.status : null,
    unreadable: unreadable.length,
    shrunk: shrunk.length,
    held: Object.fromEntries(counts.map(({ list, count }) => [list, count])),
    can: toldCapabilities(capabilitiesOf(archive.id)),
    jobs: await jobsOf(archive, ask),
  }
}

/**
 * The file for whoever helps. Everything in it is put there by name, and is a number, a date, or a word of
 * this program; archives can be told apart by a keyed hash whose key is thrown away.
 */
export const diagnostics = (parts: Parts): Fulfils<typeof promised> => {
  const { environment, archives, now, chooseTarget } = parts
  let shown: string | undefined
  const make = async () => {
    const key = randomBytes(32)
    const hashed = (text: string) => createHmac('sha256', key).update(text).digest('hex').slice(0, 12)
    const about = environment()
    const all = {
      made: now().toISOString(),
      versions: about.versions,
      system: { platform: process.platform, release: os.release(), arch: process.arch },
      settings: chosen(about),
      noticesAreBlocked: about.isBlocked,
      archives: await Promise.all(archives.all().map((archive) => ofArchive(archive, hashed, parts))),
    }
    return `${JSON.stringify(all, null, 2)}\n`
  }
  return {
    show: async () => {
      shown = await make()
      return shown
    },
    save: async () => {
      const text = shown ?? (await make())
      const file = await chooseTarget('diagnostics', `lectern-${now().toISOString().slice(0, 10)}.json`)
      if (file === undefined) return false
      await onDisk(file, () => replaceFile(file, text))
      return true
    },
  }
}
