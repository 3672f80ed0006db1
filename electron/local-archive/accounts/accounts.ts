import { createHash, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { limitAttempts, tooManyAttempts } from './attempts.ts'
import { storedBody, type Body, type Database } from '../database.ts'
import { isSystemError } from '../system-error.ts'
import { prepare } from '../../common/statements.ts'

/**
 * How long a token and a session are good for, from when they were given (ESSArch: ten hours, not longer by
 * use).
 */
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

/** Who gets an account, before it has one. */
export interface Person {
  username: string
  role: Role
  first: string
  last: string
  email: string
}

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

/** Tokens (specification 5): kept as digests, so many for an account at most, the oldest go first. */
const openTokens = (now: () => Date) => {
  const tokens = new Map<string, { account: number; ends: number }>()
  const forgetAll = (id: number) => {
    for (const [digest, { account }] of tokens) if (account === id) tokens.delete(digest)
  }
  return {
    add: ({ id }: Account) => {
      const token = randomBytes(32).toString('hex')
      const ends = now().getTime() + lifetimeMs
      const theirs = [...tokens].filter(([, known]) => known.account === id)
      for (const [digest] of theirs.slice(0, Math.max(0, theirs.length + 1 - mostTokens)))
        tokens.delete(digest)
      tokens.set(digestOf(token), { account: id, ends })
      return { token, expiry: new Date(ends).toISOString() }
    },
    /** The account of a token that is good still. */
    accountOf: (token: string): number | undefined => {
      const digest = digestOf(token)
      const known = tokens.get(digest)
      if (known && known.ends > now().getTime()) return known.account
      tokens.delete(digest)
      return undefined
    },
    forget: (token: string) => tokens.delete(digestOf(token)),
    forgetAll,
  }
}

/** A seal that only this process can make. */
const openSeal = () => {
  const key = randomBytes(32)
  return (text: string) => createHmac('sha256', key).update(text).digest('hex')
}
type Seal = ReturnType<typeof openSeal>

/**
 * Sessions: the account's number, the end and the generation of its credential, sealed. Nothing of them is
 * kept.
 * @param generationOf changes with the password
 */
const openSessions = (seal: Seal, now: () => Date, generationOf: (id: number) => string | undefined) => ({
  begin: ({ id }: Account) => {
    const session = `${id}-${now().getTime() + lifetimeMs}-${generationOf(id) ?? ''}`
    return `${session}-${seal(`session ${session}`)}`
  },
  /** The account of a session that is good still. */
  accountOf: (given: string): number | undefined => {
    const [, session = '', id = '', ends = '', generation = '', sealed = ''] =
      /^((\d+)-(\d+)-([0-9a-f]*))-([0-9a-f]{64})$/.exec(given) ?? []
    const isOurs =
      sealed !== '' && timingSafeEqual(Buffer.from(sealed), Buffer.from(seal(`session ${session}`)))
    const isGood = isOurs && Number(ends) > now().getTime() && generationOf(Number(id)) === generation
    return isGood ? Number(id) : undefined
  },
})

/** The accounts as they are written down. */
const accountTable = ({ sqlite }: Database, now: () => Date) => {
  const byName = prepare<Row>(sqlite, 'select id, role, body from account where username = ?')
  const byNumber = prepare<Row>(sqlite, 'select id, role, body from account where id = ?')
  const shown = (row: Row | undefined): Account | undefined =>
    row && {
      id: row.id,
      role: row.role,
      user: { id: row.id, ...storedBody(row.body) },
    }
  return {
    called: (username: string) => shown(byName.get(username)),
    byId: (id: number) => shown(byNumber.get(id)),
    first: () => shown(prepare<Row>(sqlite, 'select id, role, body from account order by id limit 1').get()),
    add: (username: string, names: { first: string; last: string; email: string }, role: Role) => {
      const moment = now().toISOString()
      const body = {
        username,
        first_name: names.first,
        last_name: names.last,
        email: names.email,
        last_login: moment,
        date_joined: moment,
      }
      sqlite
        .prepare('insert into account (username, body, role) values (?, ?, ?)')
        .run(username, JSON.stringify(body), role)
    },
    noteLogin: (id: number) => {
      try {
        sqlite
          .prepare(`update account set body = json_set(body, '$.last_login', ?) where id = ?`)
          .run(now().toISOString(), id)
      } catch (error) {
        // When somebody came last is not worth turning them away for.
        if (!isSystemError(error)) throw error
      }
    },
  }
}
type AccountTable = ReturnType<typeof accountTable>

/** Names and passwords: hashed one at a time, and not again for whoever was right before. */
const openPasswords = (table: AccountTable, seal: Seal) => {
  const hash = openHashing()
  const { attempt, isGuessed } = limitAttempts()
  const credentials = new Map<number, Credential>()
  const nobody = { salt: randomBytes(16), hash: Promise.resolve(randomBytes(32)) }
  /** Seals of the names and passwords that were right, so that Basic is not hashed at each request. */
  const proven = new Map<string, number>()
  const underWay = new Map<string, Promise<Account | undefined | typeof tooManyAttempts>>()

  const check = async (username: string, password: string): Promise<Account | undefined> => {
    const account = table.called(username)
    const credential = (account && credentials.get(account.id)) ?? nobody
    const [given, wanted] = await Promise.all([hash(password, credential.salt), credential.hash])
    if (!timingSafeEqual(given, wanted) || !account) return undefined
    table.noteLogin(account.id)
    return table.byId(account.id)
  }

  return {
    generationOf: (id: number) => credentials.get(id)?.generation,
    set: ({ id }: Account, password: string) => {
      for (const [proof, account] of proven) if (account === id) proven.delete(proof)
      const salt = randomBytes(16)
      credentials.set(id, {
        salt,
        hash: hash(password, salt),
        generation: randomBytes(8).toString('hex'),
      })
    },
    /** Who has this name and password; unknown names take as long as wrong passwords. */
    accountOf: async (
      username: string,
      password: string,
    ): Promise<Account | undefined | typeof tooManyAttempts> => {
      const proof = seal(`password ${username}\n${password}`)
      const known = proven.get(proof)
      if (known !== undefined && !isGuessed(username)) return table.byId(known)
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
  }
}

/**
 * The people of the archive and the three ways to be one of them (specification 5). Passwords are given anew
 * at each start; so neither they nor what they open is kept any longer than the process, and in it as hashes
 * only.
 */
export const openAccounts = (database: Database, now: () => Date) => {
  const table = accountTable(database, now)
  const seal = openSeal()
  const passwords = openPasswords(table, seal)
  const tokens = openTokens(now)
  const sessions = openSessions(seal, now, passwords.generationOf)
  const byId = (id: number | undefined) => (id === undefined ? undefined : table.byId(id))
  return {
    /** Makes the account, or gives the one that exists a new password; what the old one opened is closed. */
    keep: (
      username: string,
      password: string,
      names: { first: string; last: string; email: string },
      role: Role,
    ): Account => {
      if (!table.called(username)) table.add(username, names, role)
      const account = table.called(username)
      if (!account) throw new Error(`The account ${username} could not be written.`)
      tokens.forgetAll(account.id)
      passwords.set(account, password)
      return account
    },
    byPassword: passwords.accountOf,
    byToken: (token: string): Account | undefined => byId(tokens.accountOf(token)),
    newToken: tokens.add,
    /** Ends one token. */
    forgetToken: tokens.forget,
    /** Ends every token of an account. */
    forgetTokens: ({ id }: Account) => tokens.forgetAll(id),
    sessionFor: sessions.begin,
    bySession: (given: string): Account | undefined => byId(sessions.accountOf(given)),
    byId: table.byId,
    first: table.first,
  }
}
