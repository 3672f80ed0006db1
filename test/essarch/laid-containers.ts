import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Parser } from 'htmlparser2'
import type { Answer } from '../../electron/local-archive/http/answer.ts'
import { textOf } from '../../electron/local-archive/http/body-values.ts'
import type { Body } from '../../electron/local-archive/database.ts'
import { packageBody, withoutProfiles } from '../../electron/local-archive/packages.ts'
import type { Context } from './packages.ts'
import { permissionsOf } from './roles.ts'
import { aicOf, begin, change } from './submissions.ts'
import { detail, forbidden, ok } from './words.ts'

/**
 * Containers that lie in the reception with a METS beside them that describes them, as a real ESSArch took
 * them: `eark-w3a-*` of the recordings.
 */

const run = promisify(execFile)
const reception = '/ESSArch/data/ingest/reception'

interface Agent {
  role: string
  type: string
  isOther: boolean
  name: string
  notes: string[]
}

interface Description {
  text: string
  hasSchema: boolean
  label: string
  created: string | null
  agents: Agent[]
  alternatives: Map<string, string[]>
  /** The first file that is named. */
  container: string
  size: string
  checksum: string
}

const read = (text: string): Description => {
  const found: Description = {
    text,
    hasSchema: false,
    label: '',
    created: null,
    agents: [],
    alternatives: new Map(),
    container: '',
    size: '',
    checksum: '',
  }
  let said = ''
  let type = ''
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        said = ''
        if (name === 'mets') {
          found.label = attributes['LABEL'] ?? ''
          found.hasSchema = /^http:\/\/www\.loc\.gov\/METS\/ \S/.test(attributes['xsi:schemaLocation'] ?? '')
        } else if (name === 'metsHdr') found.created = attributes['CREATEDATE'] ?? null
        else if (name === 'agent')
          found.agents.push({
            role: attributes['ROLE'] ?? '',
            type: attributes['OTHERTYPE'] ?? attributes['TYPE'] ?? '',
            isOther: attributes['TYPE'] === 'OTHER',
            name: '',
            notes: [],
          })
        else if (name === 'altRecordID') type = attributes['TYPE'] ?? ''
        else if (name === 'file' && found.container === '')
          [found.size, found.checksum] = [attributes['SIZE'] ?? '', attributes['CHECKSUM'] ?? '']
        else if (name === 'FLocat')
          found.container ||= (attributes['xlink:href'] ?? '').slice('file:///'.length)
      },
      ontext: (part) => void (said += part),
      onclosetag: (name) => {
        const agent = found.agents.at(-1)
        if (name === 'name' && agent) agent.name = said
        if (name === 'note' && agent) agent.notes.push(said)
        if (name === 'altRecordID')
          found.alternatives.set(type, [...(found.alternatives.get(type) ?? []), said])
        said = ''
      },
    },
    { xmlMode: true },
  )
  parser.end(text)
  return found
}

/** The descriptions that lie in the reception, by their names without the ending. */
const descriptions = ({ receptionFolder }: Context): Map<string, Description> =>
  new Map(
    readdirSync(receptionFolder)
      .filter((name) => name.endsWith('.xml'))
      .map((name) => [
        name.slice(0, -'.xml'.length),
        read(readFileSync(path.join(receptionFolder, name), 'utf8')),
      ]),
  )

const firstOf = ({ alternatives }: Description, type: string): string | null =>
  alternatives.get(type)?.[0] ?? null

const agentsOf = ({ agents }: Description): Body =>
  Object.fromEntries(
    agents.map(({ role, type, isOther, name, notes }) => [
      `${role}_${type}`,
      { name, notes, other_role: false, other_type: isOther },
    ]),
  )

/** What a list of the reception and the detail of an entry both say. */
const shownOf = (name: string, said: Description, { receptionFolder }: Context): Body => ({
  id: name,
  label: said.label,
  object_identifier_value: name,
  object_size: statSync(path.join(receptionFolder, said.container), { throwIfNoEntry: false })?.size ?? 0,
  object_path: `${reception}/${said.container}`,
  create_date: said.created,
  entry_date: said.created,
  agents: agentsOf(said),
  altrecordids: Object.fromEntries(said.alternatives),
  start_date: firstOf(said, 'STARTDATE'),
  end_date: firstOf(said, 'ENDDATE'),
})

const isKnown = (name: string, { database }: Context) =>
  database.where('information package', 'object_identifier_value', name).length > 0

/** The containers that wait, as the list of the reception shows them. */
export const laidContainers = (context: Context): Body[] =>
  [...descriptions(context)]
    .filter(([name]) => !isKnown(name, context))
    .map(([name, said]) => ({
      ...shownOf(name, said, context),
      submission_agreement: firstOf(said, 'SUBMISSIONAGREEMENT'),
    }))

/** The entry of a container by itself; undefined where nothing describes it. */
export const laidContainer = (name: string, context: Context): Body | undefined => {
  const said = descriptions(context).get(name)
  if (!said) return undefined
  const [version, type] = said.agents.find((agent) => agent.type === 'SOFTWARE')?.notes ?? []
  return {
    ...shownOf(name, said, context),
    information_class: null,
    reference_codes: [],
    system_version: version === undefined ? [] : [version],
    system_type: type === undefined ? [] : [type],
  }
}

/** What the archive finds wrong with a container, and in which of its tasks. */
const troubleOf = (name: string, said: Description, container: Buffer) => {
  if (!said.hasSchema)
    return {
      at: 0,
      message: "Element '{http://www.loc.gov/METS/}mets': No matching global declaration available",
    }
  const sum = createHash('sha256').update(container).digest('hex')
  const isChanged =
    (said.checksum !== '' && said.checksum !== sum) ||
    (said.size !== '' && said.size !== `${container.length}`)
  const message = `Redundancy check of ${reception}/${name}.tar against ${reception}/${name}.xml failed`
  return isChanged ? { at: 1, message } : undefined
}

/** Unpacks a container below content/{identifier}/; of one root folder what is in it. */
const unpack = async (name: string, container: string, { uploads }: Context): Promise<void> => {
  const unpacked = await mkdtemp(path.join(tmpdir(), 'received-'))
  await run('tar', ['-xf', container, '-C', unpacked])
  const { stdout } = await run('tar', ['-tf', container], { maxBuffer: 2 ** 30 })
  const [first = ''] = stdout.split('\n')
  const [only = '', ...others] = await readdir(unpacked)
  const root = path.join(unpacked, only)
  const isRoot = others.length === 0 && first === `${only}/` && statSync(root).isDirectory()
  await uploads.lay(name)
  const content = path.join(uploads.folderOf(name), 'content', name)
  await mkdir(content)
  await cp(isRoot ? root : unpacked, content, { recursive: true })
  await rm(unpacked, { recursive: true })
}

/** Receives a container; it stays in the reception. Undefined where nothing describes it. */
export const receiveContainer = (name: string, context: Context): Answer | undefined => {
  const { account, body, database, now, receptionFolder, workspaces } = context
  const said = descriptions(context).get(name)
  if (!said) return undefined
  if (!permissionsOf(account).includes('ip.receive')) return forbidden()
  if (isKnown(name, context)) return detail(409, `IP with id ${name} already exists`)
  const container = path.join(receptionFolder, said.container)
  if (said.container === '' || !existsSync(container))
    return detail(400, `${reception}/${said.container} does not exist`)
  const [given, named] = [textOf(body['submission_agreement']), firstOf(said, 'SUBMISSIONAGREEMENT')]
  if (given !== '' && named !== null && given !== named) return detail(400, 'Must use SA specified in XML')
  const agreement = named ?? given
  if (agreement === '') return detail(400, 'Missing parameter submission_agreement')
  const [id, aic, made] = [randomUUID(), randomUUID(), now.toISOString()]
  const agents = Object.fromEntries(
    said.agents.map(({ role, type, name: called, notes }, index) => [
      `${role}_${type}`,
      {
        id: index + 1,
        role,
        type,
        name: called,
        code: '',
        notes: notes.map((note, at) => ({ id: at + 1, note })),
      },
    ]),
  )
  const day = (type: string) => {
    const date = firstOf(said, type)
    return date === null ? null : `${date}T00:00:00+01:00`
  }
  const received = database.put(
    'information package',
    packageBody({
      id,
      label: said.label,
      object_identifier_value: name,
      package_type: 2,
      package_type_display: 'AIP',
      create_date: made,
      entry_date: said.created,
      state: 'Receiving',
      status: 0,
      object_path: `${reception}/${said.container}`,
      responsible: account.user,
      object_size: 0,
      object_num_items: 0,
      start_date: day('STARTDATE'),
      end_date: day('ENDDATE'),
      content_mets_create_date: null,
      package_mets_create_date: made,
      package_mets_size: Buffer.byteLength(said.text),
      submission_agreement: agreement,
      submission_agreement_locked: true,
      aic,
      generation: 0,
      first_generation: true,
      last_generation: true,
      workarea: [],
      agents,
      ...withoutProfiles,
    }),
  )
  database.put('information package', aicOf(received, aic, made))
  workspaces.asTheyLie.add(id)
  begin(received, context, {
    label: 'Receive from reception',
    during: 'Receiving',
    after: { state: 'Received', object_path: `/ESSArch/data/ingest/packages/${name}` },
    tasks: [
      { step: 'Validation', tasks: ['Validate package-mets', 'Redundancy check against package-mets'] },
      'Create Physical Model',
      'Receive SIP',
      'Update IP size and file count',
      'Set status to received',
    ],
    fails: troubleOf(name, said, readFileSync(container)),
    done: () => {
      context.later(unpack(name, container, context).then(() => void change(context, id, {})))
    },
  })
  return ok({ detail: `Receiving ${said.label} (${name})` })
}
