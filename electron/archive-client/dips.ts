import * as v from 'valibot'
import { Failed } from '../contract/failure.ts'
import type { Reach } from './http.ts'
import * as wire from './wire.ts'

type Asking = Pick<Reach, 'get' | 'post' | 'patch' | 'list'>

const Standing = v.looseObject({
  id: wire.id,
  object_identifier_value: wire.text,
  state: wire.text,
  step_state: wire.text,
  submission_agreement: wire.maybeId,
  submission_agreement_locked: wire.maybeFlag,
})

/** How a package stands in the archive now. */
export interface Standing {
  id: string
  state: string
  hasFailed: boolean
  agreement: string | null
  isLocked: boolean
}

const toStanding = (value: unknown): Standing & { identifier: string } => {
  const it = v.parse(Standing, value)
  const { id, state, object_identifier_value: identifier, submission_agreement: agreement } = it
  return {
    id,
    state,
    identifier,
    agreement,
    hasFailed: it.step_state === 'FAILURE',
    isLocked: it.submission_agreement_locked === true,
  }
}

const at = (id: string) => `information-packages/${encodeURIComponent(id)}/`

/** The package that carries an identifier, or nothing (ESSArch: the answer to a POST does not name what it made). */
export const findByIdentifier = async (
  { list }: Asking,
  identifier: string,
): Promise<Standing | undefined> => {
  const found = await list(
    `information-packages/?${new URLSearchParams({ view_type: 'flat', package_type: '4', search: identifier }).toString()}`,
  )
  return found.map(toStanding).find((it) => it.identifier === identifier)
}

export const standingOf = async ({ get }: Asking, id: string): Promise<Standing> =>
  toStanding(await get(at(id)))

/** Makes a DIP for an order; `orders` is always sent, since ESSArch breaks without it. */
export const registerDip = (
  { post }: Asking,
  it: { label: string; identifier: string; order: string },
): Promise<unknown> =>
  post('information-packages/', {
    label: it.label,
    package_type: 4,
    object_identifier_value: it.identifier,
    orders: [it.order],
  })

/** Connects a submission agreement, and locks it: both must be so before a package is prepared. */
export const agree = async ({ patch, post }: Asking, it: Standing, agreement: string): Promise<void> => {
  if (it.agreement !== agreement) await patch(at(it.id), { submission_agreement: agreement })
  if (!it.isLocked) await post(`submission-agreements/${encodeURIComponent(agreement)}/lock/`, { ip: it.id })
}

export const prepare = ({ post }: Asking, id: string): Promise<unknown> => post(`${at(id)}prepare/`, {})

/** Asks for an unpacked copy in the workspace: the step that brings it; null where it is there, or on its way, already. */
export const getFromStorage = async ({ post }: Asking, id: string): Promise<string | null> => {
  try {
    const step = v.safeParse(
      v.looseObject({ step: wire.maybeId }),
      await post(`${at(id)}access/`, { extracted: true }),
    )
    return step.success ? step.output.step : null
  } catch (error) {
    if (error instanceof Failed && error.failure.kind === 'conflict') return null
    throw error
  }
}

/** The packages in the workspace of whoever is signed in, by their ids. */
export const inWorkspace = async ({ list }: Asking): Promise<Set<string>> =>
  new Set((await list('workareas/?workspace_type=access&view_type=flat')).map((it) => toStanding(it).id))

export const userId = async ({ get }: Asking): Promise<string> =>
  v.parse(v.looseObject({ id: wire.id }), await get('me/')).id

/** Copies a package of the workspace into a DIP, under its own identifier. */
export const copyInto = (
  { post }: Asking,
  it: { dip: string; user: string; identifier: string },
): Promise<unknown> =>
  post('workarea-files/add-to-dip/', {
    type: 'access',
    user: /^\d+$/.test(it.user) ? Number(it.user) : it.user,
    dip: it.dip,
    src: it.identifier,
    dst: it.identifier,
  })

export const createDip = ({ post }: Asking, id: string): Promise<unknown> =>
  post(`${at(id)}create-dip/`, { validators: {} })
