import * as v from 'valibot'
import { Failed, unauthenticated } from '../../contract/failure.ts'
import type { Client, Credentials } from '../../archive-client/http.ts'
import * as wire from '../wire.ts'

const Token = v.object({ token: v.pipe(v.string(), v.minLength(1)), expiry: wire.maybeText })
const Me = v.looseObject({ id: wire.id, username: wire.text, first_name: wire.text, last_name: wire.text })

/** What a refusal names that is about name and password (Django REST framework), or about nothing. */
const ofCredentials = ['non_field_errors', 'username', 'password', '']

/** Why a sign-in was refused: one that names anything else does not say that the password is wrong. */
const refusalOf = (fields: Record<string, string[]>): Failed => {
  if (Object.keys(fields).every((name) => ofCredentials.includes(name)))
    return new Failed({ kind: 'wrong-password' })
  const said = Object.entries(fields).map(([name, texts]) =>
    name === 'detail' ? texts.join(' ') : `${name}: ${texts.join(' ')}`,
  )
  return new Failed({ kind: 'shut-out', detail: said.join(', ') })
}

/**
 * Obtains a token (specification 5), when it ends where the archive says so, and the cookies of the session
 * that some archives begin with it. An archive without that path gives undefined.
 * @throws Failed wrong-password; shut-out where the account is locked; not-allowed where that may be so, or
 * the scheme is off
 */
export const obtainToken = async (
  archive: Pick<Client, 'enter'>,
  { username, password }: Credentials,
): Promise<{ token: string; cookie: string; ends: string | null } | undefined> => {
  try {
    const { body, cookie } = await archive.enter('auth/token_login/', { username, password })
    const read = v.safeParse(Token, body)
    if (!read.success) return undefined
    const { token, expiry } = read.output
    return {
      token,
      cookie,
      ends: expiry !== null && Date.parse(expiry) > 0 ? new Date(expiry).toISOString() : null,
    }
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    const { failure } = error
    if (failure.kind === 'not-found') return undefined
    if (failure.kind === 'server-broke' && [404, 405].includes(failure.status)) return undefined
    if (failure.kind === 'refused') throw refusalOf(failure.fields)
    throw failure.kind === 'signed-out' ? new Failed(unauthenticated(failure)) : error
  }
}

/**
 * Ends the token with which the archive is asked (ESSArch; the specification names no such path), and before
 * that the session, which only whoever is signed in can end.
 */
export const endToken = async ({ leave }: Pick<Client, 'leave'>, cookie: string): Promise<void> => {
  try {
    if (cookie !== '') await leave('auth/logout/', cookie)
  } finally {
    await leave('auth/token_logout/', '')
  }
}

export const accountPath = 'me/'

/** The user that the credentials belong to (specification 4.1, /api/me/). */
export const readMe = async (archive: Client) => {
  const me = v.safeParse(Me, await archive.get(accountPath))
  if (!me.success)
    throw new Failed({
      kind: 'server-broke',
      address: `${archive.url}/api/me/`,
      status: 200,
      detail: 'unexpected',
      excerpt: v.summarize(me.issues).slice(0, 600),
    })
  const { username, first_name, last_name } = me.output
  return { username, fullName: `${first_name} ${last_name}`.trim() || username }
}
