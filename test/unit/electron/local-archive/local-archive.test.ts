import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { get } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { makeBag, zipFolder } from '../../../packages/bags.ts'
import { compare } from '../../../conformance/compare.ts'
import { specification } from '../../../conformance/specification.ts'

const place = scratch()
let archive: RunningArchive
beforeAll(async () => {
  archive = await startArchive(place.folder, '--sample')
})
afterAll(async () => {
  await archive.stop()
  place[Symbol.dispose]()
})

const ask = (address: string, init: RequestInit = {}) => fetch(`${archive.url}/api/${address}`, init)
const post = (
  address: string,
  body: unknown,
  headers: Record<string, string> = { authorization: archive.basic },
) =>
  ask(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('authentication', () => {
  test('by token, by basic, and by the session that basic opens', async () => {
    expect((await ask('me/')).status).toBe(401)
    const basic = await ask('me/', { headers: { authorization: archive.basic } })
    const cookie = basic.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(cookie).toMatch(/^lectern_session=/)
    expect((await ask('me/', { headers: { cookie } })).status).toBe(200)
    const { token } = (await (
      await post('auth/token_login/', { username: archive.username, password: archive.password }, {})
    ).json()) as { token: string }
    expect(await (await ask('me/', { headers: { authorization: `Token ${token}` } })).json()).toMatchObject({
      username: 'archivist',
      id: 1,
    })
  })
  test('a wrong credential is refused, even beside a good one', async () => {
    expect((await post('auth/token_login/', { username: 'archivist', password: 'x' }, {})).status).toBe(400)
    expect((await ask('me/', { headers: { authorization: 'Token 123' } })).status).toBe(401)
    expect((await ask('me/', { headers: { authorization: `Basic ${btoa('archivist:x')}` } })).status).toBe(
      401,
    )
  })
  test('only its own name is answered, so that no other page can reach it', async () => {
    const status = new Promise((said) =>
      get(`${archive.url}/api/me/`, { headers: { host: 'evil.example' } }, (answer) =>
        said(answer.resume().statusCode),
      ),
    )
    expect(await status).toBe(421)
  })
})

describe('every list has the fields of the specification', () => {
  test.each(Object.entries(specification))('%s', async (address, fields) => {
    const rows = (await archive.get(`${address}/`)) as Record<string, unknown>[]
    expect(rows.length).toBeGreaterThan(address === 'notifications' || address === 'transfers' ? -1 : 0)
    expect(compare(fields, rows)).toEqual([])
  })
})

describe('creating', () => {
  test('a transfer', async () => {
    const made = await post('transfers/', {
      name: 'Prov',
      delivery: 1,
      submitter_individual_email: 'a@b.se',
      unknown: 1,
    })
    expect(made.status).toBe(201)
    expect(await made.json()).toMatchObject({
      name: 'Prov',
      delivery: 1,
      submitter_individual_email: 'a@b.se',
      description: '',
    })
  })
  test('messages per field', async () => {
    const refused = await post('transfers/', { name: ' ', delivery: 99, description: 5 })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toEqual({
      name: ['This field may not be blank.'],
      delivery: ['Invalid pk "99" - object does not exist.'],
      description: ['Not a valid string.'],
    })
  })
  test('what is not allowed is said in the status, with what is (RFC 9110 15.5.6)', async () => {
    expect((await post('events/', {})).status).toBe(405)
    const allowed = async (address: string, method: string) => {
      const { status, headers } = await ask(address, { method, headers: { authorization: archive.basic } })
      return [status, headers.get('allow')]
    }
    const read = 'GET, HEAD, OPTIONS'
    expect(await allowed('events/', 'DELETE')).toEqual([405, read])
    expect(await allowed('agents/', 'PUT')).toEqual([405, 'GET, POST, HEAD, OPTIONS'])
    expect(await allowed('agents/1/', 'POST')).toEqual([405, read])
    expect(await allowed('search/', 'POST')).toEqual([405, read])
    expect(await allowed('me/', 'PATCH')).toEqual([405, 'GET, HEAD'])
    expect(await allowed('auth/token_login/', 'GET')).toEqual([405, 'POST'])
    expect(await allowed('auth/token_logout/', 'GET')).toEqual([405, 'POST'])
    expect((await post('nothing/', {})).status).toBe(404)
    expect((await post('constructor/', {})).status).toBe(404)
    expect(
      (await ask('transfers/', { method: 'POST', headers: { authorization: archive.basic }, body: 'a=b' }))
        .status,
    ).toBe(415)
    expect(
      (
        await ask('transfers/', {
          method: 'POST',
          headers: { authorization: archive.basic, 'content-type': 'application/json' },
          body: '{',
        })
      ).status,
    ).toBe(400)
  })
})

describe('preserving', () => {
  const messages = async () =>
    ((await archive.get('notifications/')) as { level: string; message: string }[]).map(
      ({ level, message }) => `${level}: ${message}`,
    )
  const handOver = (bag: string, name: string) => {
    cpSync(bag, path.join(place.folder, 'ingest', `.${name}`), { recursive: true })
    renameSync(path.join(place.folder, 'ingest', `.${name}`), path.join(place.folder, 'ingest', name))
  }

  test('a folder, a tar and a zip become generations of one package', async () => {
    using source = scratch()
    const bag = makeBag(path.join(source.folder, 'bag'), {
      'External-Identifier': 'SE/1',
      'External-Description': 'Påse',
    })
    handOver(bag, 'one')
    await until(async () => ((await messages()).length === 1 ? true : undefined))
    execFileSync('tar', ['-cf', path.join(place.folder, 'ingest/two.tar'), '-C', source.folder, 'bag'])
    await until(async () => ((await messages()).length === 2 ? true : undefined))
    await zipFolder(source.folder, path.join(place.folder, 'ingest/three.zip'))
    await until(async () => ((await messages()).length === 3 ? true : undefined))
    expect(await messages()).toEqual(Array(3).fill('success: Påse (SE/1) is now preserved'))
    const aics = (await archive.get('information-packages/')) as {
      object_identifier_value: string
      information_packages: { id: string; generation: number; last_generation: boolean; state: string }[]
    }[]
    const [aic] = aics.filter(({ object_identifier_value }) => object_identifier_value === 'SE/1')
    expect(
      aic?.information_packages.map(({ generation, last_generation, state }) => [
        generation,
        last_generation,
        state,
      ]),
    ).toEqual([
      [1, false, 'Preserved'],
      [2, false, 'Preserved'],
      [3, true, 'Preserved'],
    ])
    const objects = (await archive.get('storage-objects/')) as {
      ip: string
      content_location_value: string
    }[]
    for (const { id } of aic?.information_packages ?? []) {
      const copies = objects.filter(({ ip }) => ip === id).map(({ content_location_value: file }) => file)
      expect(copies).toHaveLength(3)
      const sums = copies.map((file) => execFileSync('sha256sum', [file], { encoding: 'utf8' }).slice(0, 64))
      expect(new Set(sums).size).toBe(1)
      expect(
        execFileSync('tar', ['-xOf', copies[0] ?? '', `${id}/content/data/å ä ö.txt`], { encoding: 'utf8' }),
      ).toBe('räksmörgås')
    }
  })

  const bad: [string, (bag: string) => void, RegExp][] = [
    [
      'a changed file',
      (bag) => writeFileSync(path.join(bag, 'data/å ä ö.txt'), 'x'),
      /manifest-sha256\.txt, line \d+: The content does not have the checksum that is listed: data\/å ä ö\.txt/,
    ],
    [
      'a missing file',
      (bag) => renameSync(path.join(bag, 'data/tom.dat'), path.join(bag, '..', 'tom.dat')),
      /manifest-sha256\.txt, line \d+: “data\/tom\.dat” is listed, but it is not there/,
    ],
    [
      'a file too many',
      (bag) => writeFileSync(path.join(bag, 'data/extra'), ''),
      /“data\/extra” is in the package, but nothing lists it/,
    ],
    [
      'a path that escapes',
      (bag) =>
        writeFileSync(path.join(bag, 'manifest-sha256.txt'), `${'0'.repeat(64)}  data/../../../etc/passwd\n`),
      /manifest-sha256\.txt, line 1: .* leads out of the package/,
    ],
    [
      'no declaration',
      (bag) => renameSync(path.join(bag, 'bagit.txt'), path.join(bag, '..', 'bagit.txt')),
      /no bagit\.txt/,
    ],
    [
      'a link',
      (bag) => execFileSync('ln', ['-s', '/etc/passwd', path.join(bag, 'data/link')]),
      /data\/link: This is a link or something else that is neither file nor folder/,
    ],
  ]
  test.each(bad)('%s is set aside untouched, with the reason', async (name, damage, reason) => {
    using source = scratch()
    const bag = makeBag(path.join(source.folder, 'bag'), { 'External-Identifier': `bad ${name}` })
    damage(bag)
    const before = (await messages()).length
    handOver(bag, name)
    const [message] = await until(async () => ((await messages()).length > before ? messages() : undefined))
    expect(message).toMatch(new RegExp(`^error: ${name} was not accepted: `))
    expect(message).toMatch(reason)
    const events = (await archive.get('events/')) as {
      eventOutcome: number
      eventOutcomeDetailNote: string
    }[]
    expect(events.at(-1)).toMatchObject({ eventOutcome: 1 })
    expect(
      execFileSync('diff', ['-r', '--no-dereference', bag, path.join(place.folder, 'set-aside', name)], {
        encoding: 'utf8',
      }),
    ).toBe('')
  })

  test('a tar that would write outside its folder is refused', async () => {
    using source = scratch()
    mkdirSync(path.join(source.folder, 'a'))
    writeFileSync(path.join(source.folder, 'evil'), 'x')
    execFileSync('tar', [
      '-cPf',
      path.join(place.folder, 'ingest/evil.tar'),
      '-C',
      path.join(source.folder, 'a'),
      '../evil',
    ])
    await until(async () =>
      (await messages())[0]?.includes('evil.tar was not accepted: There is no bagit.txt') ? true : undefined,
    )
    expect(readdirSync(path.join(place.folder, 'set-aside'))).toContain('evil.tar')
  })
})

/** Waits until so many changes were made to files below a folder. */
const changesBelow = async (folder: string, count: number) => {
  let seen = 0
  for await (const { filename } of watch(folder, { recursive: true })) {
    if (filename !== null) seen += 1
    if (seen >= count) return
  }
}

test('killed at any moment, it finishes; no package is shown without all of its copies', async () => {
  using source = scratch()
  using data = scratch()
  const bag = makeBag(path.join(source.folder, 'bag'), {}, 3_000_000)
  const kills = 12
  let running = await startArchive(data.folder)
  const check = async () => {
    const aics = (await running.get('information-packages/')) as {
      information_packages: { id: string; message_digest: string }[]
    }[]
    const objects = (await running.get('storage-objects/')) as {
      ip: string
      content_location_value: string
    }[]
    const aips = aics.flatMap(({ information_packages }) => information_packages)
    for (const { id, message_digest } of aips) {
      const copies = objects
        .filter(({ ip }) => ip === id)
        .map(({ content_location_value }) => content_location_value)
      expect(copies).toHaveLength(3)
      for (const file of copies)
        expect(execFileSync('sha256sum', [file], { encoding: 'utf8' }).slice(0, 64)).toBe(message_digest)
    }
    return aips.length
  }
  for (let kill = 1; kill <= kills; kill += 1) {
    const writing = path.join(data.folder, 'ingest', `.${kill}`)
    cpSync(bag, writing, { recursive: true })
    renameSync(writing, path.join(data.folder, 'ingest', String(kill)))
    // A later one each time, of the fifty or so that taking one in makes.
    await changesBelow(data.folder, 3 * kill)
    await running.kill()
    running = await startArchive(data.folder)
    await check()
  }
  await until(async () => ((await check()) === kills ? true : undefined))
  const messages = (await running.get('notifications/')) as unknown[]
  expect(messages).toHaveLength(kills)
  await until(() => (readdirSync(path.join(data.folder, 'working')).length === 0 ? true : undefined))
  expect(readdirSync(path.join(data.folder, 'ingest'))).toEqual([])
  expect(
    existsSync(path.join(data.folder, 'set-aside')) && readdirSync(path.join(data.folder, 'set-aside')),
  ).toEqual([])
  await running.stop()
}, 120_000)

test('a second archive on the same files is refused in a sentence', async () => {
  await expect(startArchive(place.folder)).rejects.toThrow(/Another archive already works in/)
})
