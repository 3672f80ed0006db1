import { readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openVault } from '../../../../electron/vault/vault.ts'
import { startArchive } from '../../../archives/archive.ts'
import { present } from '../../../support/present.ts'
import { scratch } from '../../../support/scratch.ts'
import { openWindowless } from '../../../desks/windowless.ts'

interface Read {
  versions: { version: string }
  settings: Record<string, unknown>
  archives: {
    name: string
    host: string
    held: Record<string, number | null>
    jobs: { kind: string; state: string; failure?: string; count: number }[]
  }[]
}
// The test names what it looks for; everything else of the file is looked through as text.
const read = (text: string) => JSON.parse(text) as Read

test('the file for whoever helps says how the desk is, and names nobody and nothing', async () => {
  using place = scratch()
  const archive = await startArchive(path.join(place.folder, 'archive'), '--sample')
  const folder = path.join(place.folder, 'hemlig-mapp')
  const target = path.join(place.folder, 'saved.json')
  const vault = openVault({ keychain: undefined, safe: undefined, file: path.join(folder, 'vault.json') })
  const secrets: string[] = []
  const desk = openWindowless(folder, {
    vault: {
      ...vault,
      keep: (account, secret) => {
        secrets.push(secret)
        return vault.keep(account, secret)
      },
    },
    environment: () => ({
      versions: { version: '9.8.7', electron: '45', chromium: '152', node: '24' },
      settings: {
        theme: 'dark',
        language: 'sv',
        notices: true,
        quiet: false,
        closeToTray: true,
        startWithSystem: false,
        updates: false,
        proxy: 'address',
        proxyAddress: 'proxy-hemlig.example:8080',
        proxyScript: 'http://skript-hemlig.example/proxy.pac',
      },
      isBlocked: false,
    }),
    chooseTarget: () => Promise.resolve(target),
  })
  const { features } = desk
  await features.session.signIn({
    url: archive.url,
    username: archive.username,
    password: archive.password,
  })
  await features.connection.refresh(undefined)
  const { rows } = await features.packages.list({
    view: 'flat',
    sort: 'label',
    descending: false,
    filter: '',
    open: [],
    offset: 0,
    limit: 200,
  })
  expect(rows.length).toBeGreaterThan(20)
  const draft = await features.transfers.create(undefined)
  await features.transfers.save({
    id: draft.id,
    form: { ...draft.form, name: 'Hemliga akten', person: 'Astrid Hemlig', email: 'astrid@hemlig.example' },
  })
  const { account } = present((await features.session.status(undefined)).archives[0])
  // What a later version, or a damaged page, may have left in the table.
  const database = new DatabaseSync(path.join(folder, 'desk.sqlite'))
  database
    .prepare(
      `insert into job (id, archive, kind, state, made, place, triedAt, body)
        values ('x', ?, 'transfer', 'hemlig-state', '', 0, 'hemlig-tid', ?)`,
    )
    .run(
      account.archive,
      JSON.stringify({ failure: { kind: 'hemlig-kind', path: '/hemlig/sökväg' }, form: { name: 'hemlig' } }),
    )
  database.close()

  const text = await features.diagnostics.show(undefined)
  const told = read(text)
  expect(told.versions.version).toBe('9.8.7')
  expect(told.settings).toMatchObject({ theme: 'dark', proxy: 'address', hasProxyAddress: true })
  expect(told.archives[0]?.jobs).toEqual([
    { kind: 'transfer', state: 'draft', count: 1 },
    { kind: 'transfer', state: 'other', failure: 'other', lastTried: null, count: 1 },
  ])
  expect(Object.keys(told.archives[0]?.held ?? {})).toContain('agents')

  const { host, hostname, port } = new URL(archive.url)
  const planted = [
    archive.password,
    archive.username,
    account.fullName,
    account.name,
    account.archive,
    host,
    hostname,
    port,
    ...secrets,
    folder,
    place.folder,
    draft.id,
    'hemlig',
    'Hemlig',
    'Astrid',
    ...rows.flatMap(({ id, label, identifier }) => [id, label, identifier]),
  ].filter((word) => word !== '')
  expect(secrets.length).toBeGreaterThan(0)
  expect(planted.length).toBeGreaterThan(60)
  expect(planted.filter((word) => text.includes(word))).toEqual([])

  // What was shown is what is saved; whoever is shown it anew gets other names for the same archives.
  expect(await features.diagnostics.save(undefined)).toBe(true)
  expect(readFileSync(target, 'utf8')).toBe(text)
  const again = read(await features.diagnostics.show(undefined))
  expect(again.archives[0]?.host).not.toBe(told.archives[0]?.host)
  await desk.stop()
  await archive.stop()
})
