import { createHash, createHmac, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import type { Body, Database } from './database.ts'

const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex')

const hashed = (password: string) => {
  const salt = randomBytes(16)
  return `${salt.toString('hex')}:${scryptSync(password, salt, 32).toString('hex')}`
}

const fits = (password: string, stored: string) => {
  const [salt = '', hash = ''] = stored.split(':')
  const wanted = Buffer.from(hash, 'hex')
  return timingSafeEqual(scryptSync(password, Buffer.from(salt, 'hex'), wanted.length), wanted)
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

/** The people of the archive and the three ways to be one of them (specification 5). Secrets are kept as hashes only. */
export const openAccounts = ({ sqlite }: Database, now: () => Date) => {
  const byName = sqlite.prepare('select id, role, password, body from account where username = ?')
  const byToken = sqlite.prepare(
    'select a.id, a.role, a.body from token t join account a on a.id = t.account where t.digest = ?',
  )
  const shown = (row: Row): Account => ({
    id: row.id,
    role: row.role,
    user: { id: row.id, ...(JSON.parse(row.body) as Body) },
  })
  const byId = (id: number): Account | undefined => {
    const row = sqlite.prepare('select id, role, body from account where id = ?').get(id) as Row | undefined
    return row && shown(row)
  }
  // Sessions and proven passwords last as long as the process: nothing of them is kept.
  const ours = randomBytes(32)
  const sealed = (text: string) => createHmac('sha256', ours).update(text).digest('hex')
  const proven = new Set<string>()

  return {
    /** Makes the account, or gives the one that exists a new password. */
    keep: (
      username: string,
      password: string,
      names: { first: string; last: string; email: string },
      role: Role,
    ): Account => {
      const known = byName.get(username) as Row | undefined
      proven.clear()
      if (known) {
        sqlite.prepare('update account set password = ? where id = ?').run(hashed(password), known.id)
        return shown(known)
      }
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
        .prepare('insert into account (username, password, body, role) values (?, ?, ?, ?)')
        .run(username, hashed(password), JSON.stringify(body), role)
      return shown(byName.get(username) as unknown as Row)
    },
    byPassword: (username: string, password: string): Account | undefined => {
      const row = byName.get(username) as (Row & { password: string }) | undefined
      const proof = sealed(`password ${username}\n${password}`)
      if (!row || (!proven.has(proof) && !fits(password, row.password))) return undefined
      if (!proven.has(proof))
        sqlite
          .prepare(`update account set body = json_set(body, '$.last_login', ?) where id = ?`)
          .run(now().toISOString(), row.id)
      proven.add(proof)
      return shown(row)
    },
    byToken: (token: string) => {
      const row = byToken.get(digestOf(token)) as Row | undefined
      return row && shown(row)
    },
    tokenFor: (account: Account) => {
      const token = randomBytes(32).toString('hex')
      sqlite
        .prepare('insert into token (digest, account, made) values (?, ?, ?)')
        .run(digestOf(token), account.id, now().toISOString())
      return token
    },
    /** A session is the account's number under a seal that only this process can make. */
    sessionFor: ({ id }: Account) => `${id}-${sealed(`session ${id}`)}`,
    bySession: (session: string) => {
      const [, id = '', seal = ''] = /^(\d+)-([0-9a-f]{64})$/.exec(session) ?? []
      return seal !== '' && timingSafeEqual(Buffer.from(seal), Buffer.from(sealed(`session ${id}`)))
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
