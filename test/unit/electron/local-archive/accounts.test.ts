import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccounts } from '../../../../electron/local-archive/accounts/accounts.ts'
import { limitAttempts, tooManyAttempts } from '../../../../electron/local-archive/accounts/attempts.ts'
import { migrations, openDatabase } from '../../../../electron/local-archive/database.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'

const names = { first: 'Reading', last: 'Room', email: 'a@localhost' }
const hour = 3_600_000

/** People of an archive over a real database, with a clock that the test turns. */
const people = (folder: string) => {
  let time = Date.parse('2026-01-15T08:00:00Z')
  const database = openDatabase(folder)
  const accounts = openAccounts(database, () => new Date(time))
  return {
    accounts,
    account: accounts.keep('anna', 'right', names, 'archivist'),
    pass: (ms: number) => (time += ms),
    [Symbol.dispose]: () => database.close(),
  }
}

describe('what opens the archive ends', () => {
  test('a token and a session are good for ten hours', () => {
    using place = scratch()
    using opened = people(place.folder)
    const { accounts, account } = opened
    const { token, expiry } = accounts.newToken(account)
    const session = accounts.sessionFor(account)
    expect(expiry).toBe('2026-01-15T18:00:00.000Z')
    opened.pass(10 * hour - 1)
    expect([accounts.byToken(token)?.id, accounts.bySession(session)?.id]).toEqual([account.id, account.id])
    opened.pass(1)
    expect([accounts.byToken(token), accounts.bySession(session)]).toEqual([undefined, undefined])
  })

  test('a new password ends the token, the session and the proof of the old one; others stay', async () => {
    using place = scratch()
    using opened = people(place.folder)
    const { accounts, account } = opened
    const other = accounts.keep('bo', 'other', names, 'reader')
    const theirs = accounts.newToken(other)
    expect(await accounts.byPassword('anna', 'right')).toMatchObject({ id: account.id })
    const { token } = accounts.newToken(account)
    const session = accounts.sessionFor(account)
    accounts.keep('anna', 'changed', names, 'archivist')
    expect([accounts.byToken(token), accounts.bySession(session)]).toEqual([undefined, undefined])
    expect(await accounts.byPassword('anna', 'right')).toBeUndefined()
    expect(await accounts.byPassword('anna', 'changed')).toMatchObject({ id: account.id })
    expect(accounts.byToken(theirs.token)?.id).toBe(other.id)
  })

  test('many requests side by side with one password are one attempt, right or wrong', async () => {
    using place = scratch()
    using opened = people(place.folder)
    const { accounts, account } = opened
    const all = (password: string) =>
      Promise.all(Array.from({ length: 40 }, () => accounts.byPassword('anna', password)))
    expect(new Set((await all('right')).map((found) => found !== tooManyAttempts && found?.id))).toEqual(
      new Set([account.id]),
    )
    expect(new Set(await all('wrong'))).toEqual(new Set([undefined]))
    expect(await accounts.byPassword('anna', 'right')).toMatchObject({ id: account.id })
  })

  test('no more than a thousand tokens are kept for an account: the oldest goes', () => {
    using place = scratch()
    using opened = people(place.folder)
    const { accounts, account } = opened
    const tokens = Array.from({ length: 1001 }, () => accounts.newToken(account).token)
    expect(accounts.byToken(tokens[0] ?? '')).toBeUndefined()
    expect(tokens.slice(1).every((token) => accounts.byToken(token)?.id === account.id)).toBe(true)
  })

  test('tokens and passwords that an earlier version kept are gone from the database', () => {
    using place = scratch()
    const old = new DatabaseSync(path.join(place.folder, 'archive.sqlite'))
    for (const [index, step] of migrations.slice(0, 2).entries())
      old.exec(`${step}; pragma user_version = ${index + 1}`)
    old.exec(`insert into account (username, password, role, body) values ('anna', 'kept', 'reader', '{}');
              insert into token (digest, account, made) values ('kept', 1, '')`)
    old.close()
    const database = openDatabase(place.folder)
    const columns = database.sqlite
      .prepare('pragma table_info(account)')
      .all()
      .map((column) => column['name'])
    expect(columns).toEqual(['id', 'username', 'role', 'body'])
    expect(database.sqlite.prepare(`select * from sqlite_schema where name = 'token'`).all()).toEqual([])
    database.close()
  })
})

describe('wrong passwords', () => {
  test('unknown names are hashed as known ones are', async () => {
    using place = scratch()
    using opened = people(place.folder)
    const time = async (username: string) => {
      const began = process.cpuUsage()
      expect(await opened.accounts.byPassword(username, 'wrong')).toBeUndefined()
      return process.cpuUsage(began).user + process.cpuUsage(began).system
    }
    await time('anna')
    const [known, unknown] = [await time('anna'), await time('nobody')]
    expect(unknown).toBeGreaterThan(known / 4)
  })

  const wrong = () => Promise.resolve(undefined)
  const right = () => Promise.resolve('right')

  test('of one name five wait in line, and who comes then is turned away', async () => {
    const { attempt } = limitAttempts()
    const waiting = Array.from({ length: 8 }, () => attempt('anna', right))
    expect(await attempt('bo', right)).toBe('right')
    expect((await Promise.all(waiting)).filter((answer) => answer === tooManyAttempts)).toHaveLength(3)
    expect(await attempt('anna', right)).toBe('right')
  })

  test('after three wrong ones a name is delayed, longer each time, until one is right', async () => {
    const { attempt, isGuessed } = limitAttempts()
    const delayOf = async (check: () => Promise<string | undefined>) => {
      const began = performance.now()
      await attempt('anna', check)
      return performance.now() - began
    }
    for (let failures = 0; failures < 4; failures += 1) await attempt('anna', wrong)
    expect(isGuessed('anna')).toBe(true)
    expect(await delayOf(wrong)).toBeGreaterThan(95)
    expect(await delayOf(right)).toBeGreaterThan(195)
    expect(isGuessed('anna')).toBe(false)
  })

  test('a right password that is known already is no way around the line', async () => {
    using place = scratch()
    using opened = people(place.folder)
    const { accounts, account } = opened
    expect(await accounts.byPassword('anna', 'right')).toMatchObject({ id: account.id })
    for (let failures = 0; failures < 4; failures += 1) await accounts.byPassword('anna', 'wrong')
    const began = performance.now()
    expect(await accounts.byPassword('anna', 'right')).toMatchObject({ id: account.id })
    expect(performance.now() - began).toBeGreaterThan(95)
  })

  test('of names that were tried, no more than a thousand are kept', async () => {
    const { attempt, isGuessed } = limitAttempts()
    for (let failures = 0; failures < 4; failures += 1) await attempt('anna', wrong)
    for (let number = 0; number < 999; number += 1) await attempt(`name ${number}`, wrong)
    expect(isGuessed('anna')).toBe(true)
    await attempt('one more', wrong)
    expect(isGuessed('anna')).toBe(false)
  })
})

describe('over HTTP', () => {
  const place = scratch()
  let archive: RunningArchive
  beforeAll(async () => {
    archive = await startArchive(place.folder)
  })
  afterAll(async () => {
    await archive.stop()
    place[Symbol.dispose]()
  })
  const signIn = async () =>
    (await (
      await fetch(`${archive.url}/api/auth/token_login/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: archive.username, password: archive.password }),
      })
    ).json()) as { token: string; expiry: string }
  const ask = (token: string, address = 'me/', method = 'GET') =>
    fetch(`${archive.url}/api/${address}`, { method, headers: { authorization: `Token ${token}` } })

  test('a token says when it ends, and ends with signing out', async () => {
    const [one, two, three] = [await signIn(), await signIn(), await signIn()]
    expect(Date.parse(one.expiry) - Date.now()).toBeGreaterThan(9 * hour)
    expect((await ask(one.token, 'auth/token_logout/')).status).toBe(405)
    expect((await ask(one.token, 'auth/token_logout/', 'POST')).status).toBe(204)
    expect([(await ask(one.token)).status, (await ask(two.token)).status]).toEqual([401, 200])
    expect((await ask(two.token, 'auth/token_logoutall/', 'POST')).status).toBe(204)
    expect([(await ask(two.token)).status, (await ask(three.token)).status]).toEqual([401, 401])
  })

  test('a hundred wrong passwords keep nobody waiting', async () => {
    const { token } = await signIn()
    let isOver = false
    const guesses = Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const authorization = `Basic ${btoa(`name ${index % 20}:wrong ${index}`)}`
        return (await fetch(`${archive.url}/api/me/`, { headers: { authorization } })).status
      }),
    ).finally(() => (isOver = true))
    let answered = 0
    for (; !isOver; answered += 1) expect((await ask(token)).status).toBe(200)
    expect(new Set(await guesses)).toEqual(new Set([401, 429]))
    expect(answered).toBeGreaterThan(100)
  })
})

describe.skipIf(process.platform === 'win32')(
  'everything that the archive keeps is its owner’s alone',
  () => {
    const open = (folder: string) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((name) => path.join(folder, name))
        .concat(folder)
        .filter((file) => !lstatSync(file).isSymbolicLink() && (lstatSync(file).mode & 0o077) !== 0)

    test('in a new folder, whatever the mask of who starts it', async () => {
      using place = scratch()
      const data = path.join(place.folder, 'archive')
      const mask = process.umask(0)
      const archive = await startArchive(data, '--sample').finally(() => process.umask(mask))
      expect(open(data)).toEqual([])
      await archive.stop()
      expect(open(data)).toEqual([])
    })

    test('and what lay open there is closed; what a link leads to is left', async () => {
      using place = scratch()
      const data = path.join(place.folder, 'archive')
      mkdirSync(path.join(data, 'storage/folder-1'), { recursive: true })
      writeFileSync(path.join(data, 'storage/folder-1/a.tar'), 'x')
      writeFileSync(path.join(place.folder, 'outside'), 'x')
      symlinkSync(path.join(place.folder, 'outside'), path.join(data, 'storage/link'))
      execFileSync('chmod', ['-R', 'a+rwX', place.folder])
      const before = lstatSync(path.join(place.folder, 'outside')).mode
      const archive = await startArchive(data)
      expect(open(data)).toEqual([])
      expect(lstatSync(path.join(place.folder, 'outside')).mode).toBe(before)
      await archive.stop()
      chmodSync(place.folder, 0o700)
    })
  },
)
