import * as v from 'valibot'
import type { Capabilities, Way } from '../../contract/capabilities.ts'
import { Failed, isRefusal, isTransient, isUnreached, type Failure } from '../../contract/failure.ts'
import { listNames, type ListName } from '../../contract/lists.ts'
import type { Client } from '../../archive-client/http.ts'
import type { CapabilityQuestion } from '../dialect.ts'
import { deniedWith, mayChange, mayCreate, maySubmit } from '../essarch/permissions.ts'
import { createsIn } from './creates.ts'
import { nothingBelowPackages } from '../read-only.ts'
import * as wire from '../wire.ts'

type Asking = Pick<Client, 'get' | 'answer' | 'described' | 'stream'>

/** Requests that are under way at the same time: an archive has others to answer. */
const atOnce = 4
/** An id that nothing has. What a path takes is said of it all the same. */
const nobody = '00000000-0000-0000-0000-000000000000'
const below = `information-packages/${nobody}/`

const Named = v.looseObject({ id: wire.id, name: wire.text })
const Me = v.looseObject({
  permissions: v.optional(v.fallback(v.nullable(v.array(v.string())), null), null),
  is_superuser: v.optional(v.fallback(v.boolean(), false), false),
  organizations: v.optional(v.fallback(v.array(Named), []), []),
  current_organization: wire.maybeId,
})
const Features = v.array(
  v.looseObject({ name: wire.text, enabled: v.optional(v.fallback(v.boolean(), false), false) }),
)
const Field = v.looseObject({ type: wire.text, required: v.optional(v.fallback(v.boolean(), false), false) })
const Described = v.looseObject({
  actions: v.optional(v.looseObject({ POST: v.optional(v.record(v.string(), Field)) })),
  // A list of names by the specification; ESSArch has an object by name.
  filters: v.optional(
    v.fallback(
      v.union([
        v.pipe(
          v.array(v.looseObject({ name: wire.text })),
          v.transform((filters) => filters.map(({ name }) => name)),
        ),
        v.pipe(v.record(v.string(), v.unknown()), v.transform(Object.keys)),
      ]),
      [],
    ),
    [],
  ),
})

/** What an OPTIONS said: the methods, and the fields of a POST where this account may send one. */
interface Said {
  methods: string[]
  fields: Record<string, v.InferOutput<typeof Field>> | undefined
  filters: string[]
}

/** So often one question is asked to which no whole answer comes. */
const mostTries = 3

/**
 * Whether an archive asks to be left alone for a while (RFC 6585 4; RFC 9110 10.2.3): that says nothing of
 * what it can do.
 */
const isBusy = (failure: Failure): boolean =>
  failure.kind === 'server-broke' && (failure.status === 429 || failure.retryAfterS !== undefined)

/** Asks once more where the server broke: that is no answer. @throws Failed as the last try failed */
const answered = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      const isBroken =
        error instanceof Failed && error.failure.kind === 'server-broke' && !isBusy(error.failure)
      if (tries === mostTries || !isBroken) throw error
    }
  }
}

const unlessFailed = async <T, E>(
  ask: () => Promise<T>,
  otherwise: (kind: Failed['failure']['kind']) => E,
): Promise<T | E> => {
  try {
    return await answered(ask)
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    const { failure } = error
    if (isUnreached(failure) || failure.kind === 'signed-out' || isBusy(failure)) throw error
    return otherwise(failure.kind)
  }
}

const optionsOf = async (
  { described }: Asking,
  path: string,
): Promise<Said | 'not allowed' | 'not there'> => {
  const said = await unlessFailed(
    () => described(path),
    (kind) => (kind === 'not-allowed' ? ('not allowed' as const) : ('not there' as const)),
  )
  if (typeof said === 'string') return said
  const read = v.safeParse(Described, said.body)
  return {
    methods: said.allow,
    fields: read.success ? read.output.actions?.POST : undefined,
    filters: read.success ? read.output.filters : [],
  }
}

/**
 * A field that the specification fills with a plain value or a reference, and this archive with an object
 * that it never makes.
 */
const isNested = (list: ListName, { fields }: Said) =>
  Object.entries(createsIn(list) ?? {}).some(
    ([name, { type }]) =>
      (type === 'text' || type === 'reference') && fields?.[name]?.type === 'nested object',
  )

/**
 * A record has what one can filter by, and no POST may say it: what is made of such a POST is no whole
 * record.
 */
const lacksColumn = (list: ListName, { fields, filters }: Said) =>
  list === 'event-types' && fields !== undefined && filters.some((name) => !(name in fields))

/**
 * The search describes no fields; whether one may create by way of it, only the permissions of the account
 * say.
 */
const mayDescribe = ({ permissions }: Capabilities['user']) =>
  permissions === null || permissions.includes('tags.create_archive') || permissions.includes('tags.add_tag')

/** How a record of a list is created, by what the archive says of the list and of the two other ways. */
const wayOf = (
  list: ListName,
  said: Said | 'not allowed' | 'not there',
  others: { units: Said | string; nodes: Said | string },
  user: Capabilities['user'],
): Way => {
  if (createsIn(list) === undefined) return 'never'
  if (typeof said === 'string') return said === 'not allowed' ? 'not allowed' : 'unknown'
  if (said.methods.length === 0) return 'unknown'
  if (list === 'structure-units' && typeof others.units !== 'string' && others.units.methods.includes('POST'))
    return others.units.fields && mayCreate(user, list) ? 'structure' : 'not allowed'
  if (said.fields && said.methods.includes('POST')) {
    if (isNested(list, said) || lacksColumn(list, said)) return 'administration'
    return mayCreate(user, list) ? 'list' : 'not allowed'
  }
  if (list === 'tags' && typeof others.nodes !== 'string' && others.nodes.methods.includes('POST'))
    return mayDescribe(user) ? 'search' : 'not allowed'
  return said.methods.includes('POST') ? 'not allowed' : 'never'
}

/** What everybody may create, whoever they are. */
const open: ListName[] = ['orders', 'me/searches']

/**
 * Where an archive names a POST only to those who may send it, nothing tells what nobody can create from what
 * this account may not.
 */
const saysWhoMay = (said: Iterable<readonly [ListName, Said | string]>) =>
  [...said].some(
    ([list, answer]) => !open.includes(list) && typeof answer !== 'string' && answer.methods.includes('POST'),
  )

const takes = (answer: Said | string | undefined, method: string) =>
  typeof answer === 'object' && answer.methods.includes(method)

/** Does some work for each, a few at a time, in order. */
const eachOf = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = []
  for (let from = 0; from < items.length; from += atOnce)
    results.push(...(await Promise.all(items.slice(from, from + atOnce).map(work))))
  return results
}

/** What a user is and may do (specification 4.1 /api/me/; ESSArch says more there). */
const userOf = async ({ get }: Asking): Promise<Capabilities['user']> => {
  const read = v.safeParse(Me, await answered(() => get('me/')))
  const me = read.success ? read.output : v.parse(Me, {})
  return {
    permissions: me.permissions,
    isSuperuser: me.is_superuser,
    organization: me.current_organization,
    organizations: me.organizations.map(({ id, name }) => ({ id, name })),
  }
}

/**
 * A search that an archive takes only as a query string is not found where its filter stands after the path
 * (specification 4.3).
 */
const searchFormOf = async (archive: Asking): Promise<Capabilities['search']> => {
  const nothing = () => undefined
  if (await unlessFailed(() => archive.get('search/extension=lectern/?page_size=1'), nothing)) return 'path'
  return (await unlessFailed(() => archive.get('search/?extension=lectern&page_size=1'), nothing))
    ? 'query string'
    : 'none'
}

/** Views are known where one that there cannot be is refused. */
const hasViewsOf = ({ stream }: Asking) =>
  unlessFailed(
    // What a plain archive answers is its whole list: that it answers says enough.
    () => stream('information-packages/?view_type=lectern&page_size=1', () => false).then(() => false),
    (kind) => kind === 'refused',
  )

const orderOf = async ({ get }: Asking, said: Said | string): Promise<Capabilities['order']> => {
  const fields = typeof said === 'string' ? undefined : said.fields
  if (fields?.['type']?.required !== true)
    return { linksPackages: !fields || !('label' in fields) || 'name' in fields, types: [] }
  const types = v.safeParse(
    v.array(Named),
    await unlessFailed(
      () => get('order-types/?pager=none'),
      () => [],
    ),
  )
  return {
    linksPackages: !('label' in fields) || 'name' in fields,
    types: types.success ? types.output.map(({ id, name }) => ({ id, name })) : [],
  }
}

/**
 * How far packages are brought over the interface. A server that breaks at this says nothing of that, and
 * nothing is sent the wrong way on its account: what it said before holds.
 */
const submissionOf = async (
  { described }: Asking,
  user: Capabilities['user'],
  known: Capabilities['submission'],
): Promise<Capabilities['submission']> => {
  try {
    const { allow } = await answered(() => described(`${below}merge-uploaded-chunks/`))
    return allow.includes('POST') ? maySubmit(user) : 'no'
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    const { failure } = error
    if (isTransient(failure)) return known
    // Some servers show a page of theirs at every address that they do not know.
    if (isRefusal(failure) || failure.kind === 'server-broke') return 'no'
    throw error
  }
}

/**
 * What must be known first: how the archive pages, counts and shows packages, before lists are read; how it
 * takes packages, before anything is prepared; and whether it gives files of packages, before a page of one
 * is shown; a few requests.
 */
const shapeOf = async (archive: Asking, known: Capabilities | null) => {
  const [user, features] = [
    await userOf(archive),
    v.safeParse(
      Features,
      await unlessFailed(
        () => archive.get('features/'),
        () => [],
      ),
    ),
  ]
  const [hasViews, first, search, submission, files] = await Promise.all([
    hasViewsOf(archive),
    unlessFailed(
      () => archive.answer('languages/'),
      () => undefined,
    ),
    searchFormOf(archive),
    submissionOf(archive, user, known?.submission ?? 'unknown'),
    optionsOf(archive, `${below}files/`),
  ])
  const length = Array.isArray(first?.body) ? first.body.length : 0
  return {
    user,
    hasViews,
    search,
    submission,
    features: features.success ? features.output.map(({ name, enabled }) => ({ name, isOn: enabled })) : [],
    isPaged: typeof first?.count === 'number' && first.count > length,
    isCounting: typeof first?.count === 'number',
    givesFiles: takes(files, 'GET'),
  }
}

/** What may be done with each list and below a package; a request for each. */
const waysOf = async (archive: Asking, user: Capabilities['user'], files: boolean) => {
  const options = (path: string) => optionsOf(archive, path)
  const [events, copies, steps, access, dip, seen] = await eachOf(
    [
      ...['events/', 'storage-objects/', 'workflow/', 'access/', 'create-dip/'].map((path) => below + path),
      'notifications/0/',
    ],
    options,
  )
  const [units = 'not there', nodes = 'not there', contents = 'not there'] = await eachOf(
    [`structures/${nobody}/units/`, 'search/', 'structure-units/0/nodes/'],
    options,
  )
  const said = new Map(await eachOf(listNames, async (list) => [list, await options(`${list}/`)] as const))
  const changing = await eachOf(listNames, (list) =>
    takes(said.get(list), 'POST') || list === 'structure-units'
      ? options(`${list}/${nobody}/`)
      : Promise.resolve('not there' as const),
  )
  return {
    lists: listNames.map((list, index) => {
      const answer = said.get(list) ?? 'not there'
      const told = wayOf(list, answer, { units, nodes }, user)
      const way =
        told === 'never' && createsIn(list) !== undefined && !saysWhoMay(said) ? 'not allowed' : told
      return {
        list,
        reads: typeof answer === 'string' ? answer : ('yes' as const),
        way,
        isChangeable:
          takes(changing[index], 'PATCH') &&
          way !== 'administration' &&
          // Who may add is told apart from who may change only by an archive that names permissions.
          (user.permissions === null ? way !== 'not allowed' : mayChange(user, list)),
      }
    }),
    order: await orderOf(archive, said.get('orders') ?? 'not there'),
    packages: {
      files,
      events: takes(events, 'GET'),
      copies: takes(copies, 'GET'),
      steps: takes(steps, 'GET'),
      access: takes(access, 'POST'),
      dip: takes(dip, 'POST'),
      denied: deniedWith(user),
    },
    notifications: { markSeen: takes(seen, 'PATCH') },
    givesContents: takes(contents, 'GET'),
  }
}

/** Of an archive that has said nothing yet: by the specification. */
const unsaid = (): Awaited<ReturnType<typeof waysOf>> => ({
  lists: listNames.map((list) => ({
    list,
    reads: 'yes',
    way: createsIn(list) === undefined ? 'never' : 'unknown',
    isChangeable: false,
  })),
  order: { linksPackages: true, types: [] },
  packages: nothingBelowPackages,
  notifications: { markSeen: false },
  givesContents: false,
})

/**
 * Asks an archive what it can do: its features, how it pages and counts, what its search takes, the methods
 * of its paths, and what this
 * account may. It changes nothing there. An archive that says little is taken to be as the specification
 * says.
 * @throws Failed where the archive cannot be reached, or asks to be left alone for a while
 */
export const askCapabilities = async (
  archive: Asking,
  { signIn, now, known, shaped, rowsShown }: CapabilityQuestion,
): Promise<Capabilities> => {
  const { givesFiles, ...shape } = { ...signIn, ...(await shapeOf(archive, known)) }
  const before = known ?? { asked: null, ...unsaid() }
  shaped({ ...before, ...shape, packages: { ...before.packages, files: givesFiles } })
  await rowsShown
  return { asked: now.toISOString(), ...shape, ...(await waysOf(archive, shape.user, givesFiles)) }
}

/** Works for another organization (ESSArch: PATCH /api/me/). */
export const chooseOrganization = ({ patch }: Pick<Client, 'patch'>, id: string): Promise<unknown> =>
  patch('me/', { current_organization: /^\d+$/.test(id) ? Number(id) : id })
