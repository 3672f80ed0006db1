import { createHash, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
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

/** A person who may use the archive; `user` is what the interface shows of them (specification 2.1). */
export interface Account {
  id: number
  user: Body
}

export type Accounts = ReturnType<typeof openAccounts>

/** The people of the archive and the three ways to be one of them (specification 5). Secrets are kept as hashes only. */
export const openAccounts = ({ sqlite }: Database, now: () => Date) => {
  const byName = sqlite.prepare('select id, password, body from account where username = ?')
  const byToken = sqlite.prepare('select a.id, a.body from token t join account a on a.id = t.account where t.digest = ?')
  const bySession = sqlite.prepare('select a.id, a.body from session s join account a on a.id = s.account where s.digest = ?')
  const shown = (row: { id: number; body: string }): Account => ({
    id: row.id,
    user: { id: row.id, ...(JSON.parse(row.body) as Body) },
  })
  const issued = (table: 'token' | 'session', account: Account) => {
    const secret = randomBytes(32).toString('hex')
    sqlite.prepare(`insert into ${table} (digest, account, made) values (?, ?, ?)`).run(digestOf(secret), account.id, now().toISOString())
    return secret
  }
  const found = (statement: typeof byToken, secret: string) => {
    const row = statement.get(digestOf(secret)) as { id: number; body: string } | undefined
    return row && shown(row)
  }

  return {
    /** Makes the account, or gives the one that exists a new password. */
    keep: (username: string, password: string, names: { first: string; last: string; email: string }): Account => {
      const known = byName.get(username) as { id: number; body: string } | undefined
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
      sqlite.prepare('insert into account (username, password, body) values (?, ?, ?)').run(username, hashed(password), JSON.stringify(body))
      return shown(byName.get(username) as { id: number; body: string })
    },
    byPassword: (username: string, password: string): Account | undefined => {
      const row = byName.get(username) as { id: number; password: string; body: string } | undefined
      if (!row || !fits(password, row.password)) return undefined
      sqlite.prepare(`update account set body = json_set(body, '$.last_login', ?) where id = ?`).run(now().toISOString(), row.id)
      return shown(row)
    },
    byToken: (token: string) => found(byToken, token),
    bySession: (session: string) => found(bySession, session),
    tokenFor: (account: Account) => issued('token', account),
    sessionFor: (account: Account) => issued('session', account),
    byId: (id: number): Account | undefined => {
      const row = sqlite.prepare('select id, body from account where id = ?').get(id) as { id: number; body: string } | undefined
      return row && shown(row)
    },
    first: (): Account | undefined => {
      const row = sqlite.prepare('select id, body from account order by id limit 1').get() as { id: number; body: string } | undefined
      return row && shown(row)
    },
  }
}
