import * as v from 'valibot'
import { entryIn } from '../../common/records.ts'
import { Failed } from '../../contract/failure.ts'
import type { Client } from '../../archive-client/http.ts'
import type { DisseminationStatus } from '../models.ts'
import * as wire from '../wire.ts'
import { readAnswer } from '../specification/answers.ts'
import { packagePath } from './package-path.ts'

type Asking = Pick<Client, 'get' | 'post' | 'patch' | 'list'>

const Status = v.looseObject({
  id: wire.id,
  object_identifier_value: wire.text,
  state: wire.text,
  step_state: wire.text,
  submission_agreement: wire.maybeId,
  submission_agreement_locked: wire.maybeFlag,
})

const stages: Record<string, DisseminationStatus['stage']> = {
  Prepared: 'prepared',
  Creating: 'creating',
  Created: 'created',
}

const toStatus = (value: unknown, path: string): DisseminationStatus & { identifier: string } => {
  const status = readAnswer(Status, value, path)
  const { id, state, object_identifier_value: identifier, submission_agreement: agreement } = status
  return {
    id,
    stage: entryIn(stages, state) ?? 'registered',
    state,
    identifier,
    agreement,
    hasFailed: status.step_state === 'FAILURE',
    isWorking: ['PENDING', 'STARTED'].includes(status.step_state),
    isLocked: status.submission_agreement_locked === true,
  }
}

/**
 * The package that carries an identifier, or nothing (ESSArch: the answer to a POST does not name what it
 * made).
 */
export const findByIdentifier = async (
  { list }: Asking,
  identifier: string,
): Promise<DisseminationStatus | undefined> => {
  const asked = { view_type: 'flat', package_type: '4', object_identifier_value: identifier }
  const query = new URLSearchParams(asked)
  const path = `information-packages/?${query.toString()}`
  const found = await list(path)
  return found.map((row) => toStatus(row, path)).find((status) => status.identifier === identifier)
}

export const statusOf = async ({ get }: Asking, id: string): Promise<DisseminationStatus> =>
  toStatus(await get(packagePath(id)), packagePath(id))

/** Makes a DIP for an order; `orders` is always sent, since ESSArch breaks without it. */
export const registerDip = (
  { post }: Asking,
  wanted: { label: string; identifier: string; order: string },
): Promise<unknown> =>
  post('information-packages/', {
    label: wanted.label,
    package_type: 4,
    object_identifier_value: wanted.identifier,
    orders: [wanted.order],
  })

/** Connects a submission agreement, and locks it: both must be so before a package is prepared. */
export const agree = async (
  { patch, post }: Asking,
  status: DisseminationStatus,
  agreement: string,
): Promise<void> => {
  if (status.agreement !== agreement) await patch(packagePath(status.id), { submission_agreement: agreement })
  if (!status.isLocked)
    await post(`submission-agreements/${encodeURIComponent(agreement)}/lock/`, { ip: status.id })
}

export const prepare = ({ post }: Asking, id: string): Promise<unknown> =>
  post(`${packagePath(id)}prepare/`, {})

/**
 * Asks for an unpacked copy in the workspace: the step that brings it; null where it is there, or on its way,
 * already.
 */
export const getFromStorage = async ({ post }: Asking, id: string): Promise<string | null> => {
  try {
    const step = v.safeParse(
      v.looseObject({ step: wire.maybeId }),
      await post(`${packagePath(id)}access/`, { extracted: true }),
    )
    return step.success ? step.output.step : null
  } catch (error) {
    if (error instanceof Failed && error.failure.kind === 'conflict') return null
    throw error
  }
}

/** The packages in the workspace of whoever is signed in, by their ids. */
export const inWorkspace = async ({ list }: Asking): Promise<Set<string>> => {
  const path = 'workareas/?workspace_type=access&view_type=flat'
  return new Set((await list(path)).map((area) => toStatus(area, path).id))
}

const userId = async ({ get }: Asking): Promise<string> =>
  readAnswer(v.looseObject({ id: wire.id }), await get('me/'), 'me/').id

/** Copies packages of the workspace into a DIP, each under its own identifier. */
export const copierInto = async (archive: Asking, dip: string) => {
  const user = await userId(archive)
  return (identifier: string): Promise<unknown> =>
    archive.post('workarea-files/add-to-dip/', {
      type: 'access',
      user: /^\d+$/.test(user) ? Number(user) : user,
      dip,
      src: identifier,
      dst: identifier,
    })
}

export const createDip = ({ post }: Asking, id: string): Promise<unknown> =>
  post(`${packagePath(id)}create-dip/`, { validators: {} })
