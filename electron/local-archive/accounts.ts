import { createHash, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { limitAttempts, tooManyAttempts } from './attempts.ts'
import type { Body, Database } from './database.ts'
import { isSystemError } from './system-error.ts'

/** How long a token and a session are good for, from when they were given (ESSArch: ten hours, not longer by use). */
const lifetimeMs = 10 * 3_600_000
const mostTokens = 1_000

const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex')

const deriveKey = promisify<string, Buffer, number, Buffer>(scrypt)

/** Hashes of passwords, one at a time: each takes a core for 50 ms and 16 MB. */
const openHashing = () => {
  let last: Promise<unknown> = Promise.resolve()
  return (password: string, salt: Buffer): Promise<Buffer> => {
    const hash = last.then(() => deriveKey(digestOf(password), salt, 32))
    last = hash.catch(() => undefined)
    return hash
  }
}

export type Role = 'administrator' | 'archivist' | 'reader'

/** A person who may use the archive; `user` is what the interface shows of them (specification 2.1). */
export interface Account {
  id: number
  role: Role
  user: Body
}

export type Accounts = ReturnType<typeof openAccounts>

interface Row {
  id: number
  role: Role
  body: string
}

/** What proves an account; a new password begins a new generation, and ends what the last one opened. */
interface Credential {
  salt: Buffer
  hash: Promise<Buffer>
  generation: string
}

/**
 * The people of the archive and the three ways to be one of them (specification 5). Passwords are given anew at each start;
 * so neither they nor what they open is kept any longer than the process, and in it as hashes only.
 */
export const openAccounts = ({ sqlite }: Database, now: () => Date) => {
  const byName = sqlite.prepare('select id, role, body from account where username = ?')
  const shown = (row: Row): Account => ({
    id: row.id,
    role: row.role,
    user: { id: row.id, ...(JSON.parse(row.body) as Body) },
  })
  const byNumber = sqlite.prepare('select id, role, body from account where id = ?')
  const byId = (id: number): Account | undefined => {
    const row = byNumber.get(id) as Row | undefined
    return row && shown(row)
  }
  const sealingKey = randomBytes(32)
  const sealed = (text: string) => createHmac('sha256', sealingKey).update(text).digest('hex')
  const hash = openHashing()
  const { attempt, isGuessed } = limitAttempts()
  const credentials = new Map<number, Credential>()
  const nobody = { salt: randomBytes(16), hash: Promise.resolve(randomBytes(32)) }
  /** Seals of the names and passwords that were right, so that Basic is not hashed at each request. */
  const proven = new Map<string, number>()
  const underWay = new Map<string, Promise<Account | undefined | typeof tooManyAttempts>>()
  const tokens = new Map<string, { account: number; ends: number }>()

  const revoke = (id: number) => {
    for (const [proof, account] of proven) if (account === id) proven.delete(proof)
    for (const [digest, { account }] of tokens) if (account === id) tokens.delete(digest)
  }

  const noteLogin = (id: number) => {
    try {
      sqlite
        .prepare(`update account set body = json_set(body, '$.last_login', ?) where id = ?`)
        .run(now().toISOString(), id)
    } catch (error) {
      // When somebody came last is not worth turning them away for.
      if (!isSystemError(error)) throw error
    }
  }

  const check = async (username: string, password: string): Promise<Account | undefined> => {
    const row = byName.get(username) as Row | undefined
    const credential = (row && credentials.get(row.id)) ?? nobody
    const [given, wanted] = await Promise.all([hash(password, credential.salt), credential.hash])
    if (!timingSafeEqual(given, wanted) || !row) return undefined
    noteLogin(row.id)
    return shown(row)
  }

  const newToken = (account: Account) => {
    const token = randomBytes(32).toString('hex')
    const ends = now().getTime() + lifetimeMs
    const theirs = [...tokens].filter(([, known]) => known.account === account.id)
    for (const [digest] of theirs.slice(0, Math.max(0, theirs.length + 1 - mostTokens))) tokens.delete(digest)
    tokens.set(digestOf(token), { account: account.id, ends })
    return { token, expiry: new Date(ends).toISOString() }
  }

  return {
    /** Makes the account, or gives the one that exists a new password; what the old one opened is closed. */
    keep: (
      username: string,
      password: string,
      names: { first: string; last: string; email: string },
      role: Role,
    ): Account => {
      const moment = now().toISOString()
      const body = {
        username,
        first_name: names.first,
        last_name: names.last,
        email: names.email,
        last_login: moment,
        date_joined: moment,
      }
      if (byName.get(username) === undefined)
        sqlite
          .prepare('insert into account (username, body, role) values (?, ?, ?)')
          .run(username, JSON.stringify(body), role)
      const account = shown(byName.get(username) as unknown as Row)
      const salt = randomBytes(16)
      revoke(account.id)
      credentials.set(account.id, {
        salt,
        hash: hash(password, salt),
        generation: randomBytes(8).toString('hex'),
      })
      return account
    },
    /** Who has this name and password; unknown names take as long as wrong passwords. */
    byPassword: async (
      username: string,
      password: string,
    ): Promise<Account | undefined | typeof tooManyAttempts> => {
      const proof = sealed(`password ${username}\n${password}`)
      const known = proven.get(proof)
      if (known !== undefined && !isGuessed(username)) return byId(known)
      // Requests side by side with one name and password are one attempt.
      const begun = underWay.get(proof) ?? attempt(username, () => check(username, password))
      underWay.set(proof, begun)
      try {
        const account = await begun
        if (account !== undefined && account !== tooManyAttempts) proven.set(proof, account.id)
        return account
      } finally {
        underWay.delete(proof)
      }
    },
    byToken: (token: string): Account | undefined => {
      const digest = digestOf(token)
      const known = tokens.get(digest)
      if (known && known.ends > now().getTime()) return byId(known.account)
      tokens.delete(digest)
      return undefined
    },
    newToken,
    /** Ends one token. */
    forgetToken: (token: string) => tokens.delete(digestOf(token)),
    /** Ends every token of an account. */
    forgetTokens: ({ id }: Account) => {
      for (const [digest, { account }] of tokens) if (account === id) tokens.delete(digest)
    },
    /** A session is the account's number and its end under a seal that only this process can make. */
    sessionFor: ({ id }: Account) => {
      const session = `${id}-${now().getTime() + lifetimeMs}-${credentials.get(id)?.generation ?? ''}`
      return `${session}-${sealed(`session ${session}`)}`
    },
    bySession: (given: string): Account | undefined => {
      const [, session = '', id = '', ends = '', generation = '', seal = ''] =
        /^((\d+)-(\d+)-([0-9a-f]*))-([0-9a-f]{64})$/.exec(given) ?? []
      const isOurs =
        seal !== '' && timingSafeEqual(Buffer.from(seal), Buffer.from(sealed(`session ${session}`)))
      return isOurs &&
        Number(ends) > now().getTime() &&
        credentials.get(Number(id))?.generation === generation
        ? byId(Number(id))
        : undefined
    },
    byId,
    first: (): Account | undefined => {
      const row = sqlite.prepare('select id, role, body from account order by id limit 1').get() as
        Row | undefined
      return row && shown(row)
    },
  }
}
