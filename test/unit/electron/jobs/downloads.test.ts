import { openArchiveClient } from '../../../archives/archive-client.ts'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Failed } from '../../../../electron/contract/failure.ts'
import type { Download } from '../../../../electron/contract/files.ts'
import type { Verdict } from '../../../../electron/contract/reader.ts'
import { openEngine } from '../../../../electron/jobs/engine.ts'
import { openDownloads } from '../../../../electron/jobs/kinds/download/downloads.ts'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import { present } from '../../../support/present.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'

const mebibyte = 1024 * 1024

/**
 * What a server holds: the content, its strong validator, and how long a part it sends before it breaks off.
 */
interface Served {
  content: Buffer
  etag: string
}

/**
 * Answers as RFC 9110 14 has it: the rest of what is still the same, the whole of what is not, 416 for what
 * there is nothing of.
 */
const answerRange = ({ content, etag }: Served, headers: IncomingHttpHeaders, response: ServerResponse) => {
  const asked = headers['if-range'] === etag ? /^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] : undefined
  const from = Number(asked ?? 0)
  if (asked !== undefined && from >= content.length) {
    response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end()
    return
  }
  const range = `bytes ${from}-${content.length - 1}/${content.length}`
  response.writeHead(asked === undefined ? 200 : 206, {
    etag,
    'content-length': content.length - from,
    ...(asked === undefined ? {} : { 'content-range': range }),
  })
  response.end(content.subarray(from))
}

const verdict = (is: Verdict['is']): Verdict => ({
  is,
  algorithm: 'SHA-256',
  digest: 'ab',
  preserved: is === 'unsaid' ? '' : 'cd',
  source: is === 'unsaid' ? '' : 'manifest-sha256.txt',
})

type Answer = (headers: IncomingHttpHeaders, response: ServerResponse, url: string) => void

/** A desk's downloads from a server whose answers the test gives one after the other; the last one stays. */
const openPlace = async () => {
  const place = scratch()
  const bugs: unknown[] = []
  const answers: Answer[] = []
  const asked: (string | undefined)[] = []
  const server = createServer(({ headers, url = '' }, response) => {
    asked.push(headers.range)
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    answer?.(headers, response, url)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const archive = openArchiveClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const store = openDeskStore(path.join(place.folder, 'desk.sqlite'))
  const told: Download[] = []
  /** What the package says of saved files; the test puts another in its place. */
  const judge = { of: (_content: Buffer): Promise<Verdict> => Promise.resolve(verdict('unsaid')) }
  /** From then on nothing that is done is kept: the program is killed between that and what is done. */
  const killed = { isSo: false }
  const kept: { mark: string; part: string }[] = []
  const reportBug = (error: unknown) => String(bugs.push(error))
  const startEngine = () =>
    openEngine({
      isPaused: store.isPaused,
      dueJobs: store.dueJobs,
      now: () => new Date(),
      random: () => 0,
      reportBug,
    })
  let engine = startEngine()
  const open = () =>
    openDownloads({
      engine,
      store: {
        tasks: {
          ...store.tasks,
          changeTask: (kind, task) => {
            const { mark, target, state } = task as { mark: string; target: string; state: string }
            if (killed.isSo && state === 'done') return false
            const name = readdirSync(path.dirname(target)).find((found) => found.endsWith('.part'))
            const part =
              name === undefined ? '' : readFileSync(path.join(path.dirname(target), name), 'latin1')
            kept.push({ mark, part: [...new Set(part)].join('') })
            return store.tasks.changeTask(kind, task)
          },
        },
      },
      archive: () => archive,
      verdictOf: async (_archive, saved) => judge.of(readFileSync(saved.target)),
      now: () => new Date(),
      progress: (_archive, item) => told.push(item),
      reportBug,
    })
  const downloads = open()
  /** The downloads as the next start of the program has them. */
  const startAnew = async () => {
    await engine.stop()
    engine = startEngine()
    return open()
  }
  onTestFinished(async () => {
    await engine.stop()
    await archive.close()
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
    store.close()
    place[Symbol.dispose]()
  })
  const target = path.join(place.folder, 'file')
  const parts = () =>
    readdirSync(place.folder)
      .filter((name) => name.endsWith('.part'))
      .map((name) => path.join(place.folder, name))
  const begin = (name = 'file') => downloads.begin('a', { package: 'p', path: name, target }).id
  const stateOf = (id: string) => downloads.list('a', 'p').find((row) => row.id === id)
  /** Waits until a download is in a state, and gives it. */
  const reaches = (id: string, state: Download['state']) =>
    until(() => {
      const it = stateOf(id)
      if (it?.state !== state && (it?.state === 'failed' || it?.state === 'done'))
        throw new Error(`It is ${it.state}: ${JSON.stringify(it.failure)}`)
      return it?.state === state ? it : undefined
    })
  /** Sends the beginning of some content, and breaks off once some of it is on the disk. */
  const breakOff =
    ({ content, etag }: Served): Answer =>
    (_, response) => {
      response.writeHead(200, { etag, 'content-length': content.length })
      const hasArrived = () => parts().some((part) => statSync(part).size > 0) || undefined
      response.write(
        content.subarray(0, 400_000),
        () => void until(hasArrived).then(() => response.destroy()),
      )
    }
  /** A download that broke off once some of it had arrived. */
  const beginBroken = async (served: Served) => {
    answers.splice(0, Infinity, breakOff(served))
    const id = begin()
    return reaches(id, 'failed')
  }
  return {
    answers,
    asked,
    bugs,
    downloads,
    startAnew,
    killed,
    told,
    kept,
    target,
    parts,
    begin,
    reaches,
    stateOf,
    beginBroken,
    judge,
  }
}

const ones: Served = { content: Buffer.alloc(mebibyte, '1'), etag: '"one"' }
const twos: Served = { content: Buffer.alloc(mebibyte, '2'), etag: '"two"' }

test.each([
  ['the same content', ones],
  ['content that changed meanwhile', twos],
])('what broke off goes on from there with %s', async (_what, then) => {
  const { answers, asked, downloads, told, target, parts, reaches, beginBroken } = await openPlace()
  const { id, bytes, bytesDone } = await beginBroken(ones)
  expect([bytes, parts().map((part) => statSync(part).size)]).toEqual([mebibyte, [bytesDone]])
  expect(bytesDone).toBeGreaterThan(0)
  answers[0] = (headers, response) => answerRange(then, headers, response)
  downloads.resume(id)
  await reaches(id, 'done')
  expect(asked).toEqual([undefined, `bytes=${bytesDone - 1}-`])
  // While it goes on it is said to run, not what broke off before.
  expect(told.filter(({ state }) => state === 'failed')).toHaveLength(1)
  expect(readFileSync(target).equals(then.content)).toBe(true)
  expect(parts()).toEqual([])
})

test('the mark of new content is kept when nothing of the old is left in the part', async () => {
  const { answers, downloads, kept, reaches, beginBroken } = await openPlace()
  const { id } = await beginBroken(ones)
  answers[0] = (headers, response) => answerRange(twos, headers, response)
  downloads.resume(id)
  await reaches(id, 'done')
  expect(kept.filter(({ mark, part }) => mark === '"two"' && part.includes('1'))).toEqual([])
})

test('what was begun stays on the list until its part is gone, and leaves nothing then', async () => {
  const { beginBroken, parts, downloads, stateOf } = await openPlace()
  const { id } = await beginBroken(ones)
  const [part] = parts()
  rmSync(present(part))
  mkdirSync(present(part))
  await expect(downloads.forget(id)).rejects.toMatchObject({ failure: { kind: 'disk', path: part } })
  expect(stateOf(id)?.state).toBe('failed')
  rmdirSync(present(part))
  await downloads.forget(id)
  expect([stateOf(id), parts()]).toEqual([undefined, []])
})

test('a part that is whole already takes the place of the target', async () => {
  const { answers, downloads, target, parts, begin, reaches, stateOf } = await openPlace()
  // The last byte is there, and the answer does not end: so the part is whole, and the download is not.
  answers[0] = (_, response) => {
    response.writeHead(200, { etag: ones.etag, 'transfer-encoding': 'chunked' })
    response.write(ones.content)
  }
  const id = begin()
  await until(() => parts().some((part) => statSync(part).size === mebibyte) || undefined)
  downloads.stop(id)
  await reaches(id, 'stopped')
  expect(stateOf(id)?.bytesDone).toBe(mebibyte)
  answers[0] = (headers, response) => answerRange(ones, headers, response)
  downloads.resume(id)
  await reaches(id, 'done')
  expect(readFileSync(target).equals(ones.content)).toBe(true)
})

const partial =
  (headers: Record<string, string>): Answer =>
  (_, response) =>
    void response.writeHead(206, headers).end(ones.content.subarray(5))

test.each<[string, Answer]>([
  ['no Content-Range', partial({ etag: '"one"' })],
  ['another range', partial({ etag: '"one"', 'content-range': `bytes 5-${mebibyte - 1}/${mebibyte}` })],
  ['several ranges', partial({ etag: '"one"', 'content-type': 'multipart/byteranges; boundary=x' })],
  ['a range beyond its end', partial({ etag: '"one"', 'content-range': `bytes 5-${mebibyte}/${mebibyte}` })],
  [
    'other content',
    ({ range = '' }, response) => {
      const from = Number(/\d+/.exec(range)?.[0])
      response.writeHead(206, {
        etag: '"two"',
        'content-range': `bytes ${from}-${mebibyte - 1}/${mebibyte}`,
      })
      response.end(twos.content.subarray(from))
    },
  ],
  ['416', (_, response) => void response.writeHead(416, { 'content-range': 'bytes */3' }).end()],
])('an archive that answers what was not asked for (%s) is asked for the whole', async (_what, answer) => {
  const { answers, asked, downloads, target, reaches, beginBroken } = await openPlace()
  const { id, bytesDone } = await beginBroken(ones)
  answers.splice(0, Infinity, answer, (headers, response) => answerRange(ones, headers, response))
  downloads.resume(id)
  await reaches(id, 'done')
  expect(asked).toEqual([undefined, `bytes=${bytesDone - 1}-`, undefined])
  expect(readFileSync(target).equals(ones.content)).toBe(true)
})

const signIn = '<!doctype html><title>Sign in</title>'
const html = { 'content-type': 'text/html; charset=utf-8' }

test('a page to sign in at, given in place of everything, is no file', async () => {
  const { answers, target, begin, reaches, parts } = await openPlace()
  answers[0] = (_, response) => void response.writeHead(200, html).end(signIn)
  const { failure } = await reaches(begin('negativ.tif'), 'failed')
  expect(failure).toMatchObject({ kind: 'server-broke', detail: 'html' })
  expect([existsSync(target), parts()]).toEqual([false, []])
})

test('a page that the archive keeps is a file, whatever its name', async () => {
  const { answers, target, begin, reaches } = await openPlace()
  answers[0] = (_, response, url) =>
    url.includes('/files/')
      ? void response.writeHead(200, html).end(signIn)
      : void response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1,"username":"a"}')
  await reaches(begin('tabell.xls'), 'done')
  expect(readFileSync(target, 'utf8')).toBe(signIn)
})

test('a part of a file where the whole was asked for is no file', async () => {
  const { answers, target, begin, reaches, parts } = await openPlace()
  answers[0] = partial({ etag: '"one"', 'content-range': `bytes 5-${mebibyte - 1}/${mebibyte}` })
  const id = begin()
  const { failure } = await reaches(id, 'failed')
  expect([failure?.kind, existsSync(target), parts()]).toEqual(['server-broke', false, []])
})

test.each([
  ['a weak ETag', { etag: 'W/"one"' }],
  [
    'a time of the very second',
    { 'last-modified': 'Tue, 03 Feb 2026 04:05:06 GMT', date: 'Tue, 03 Feb 2026 04:05:06 GMT' },
  ],
])('nothing is put behind a part that only %s would know again', async (_what, headers) => {
  const { answers, asked, downloads, target, parts, begin, reaches } = await openPlace()
  answers[0] = (_, response) => {
    response.writeHead(200, { ...headers, 'content-length': mebibyte })
    const hasArrived = () => parts().some((part) => statSync(part).size > 0) || undefined
    response.write(
      ones.content.subarray(0, 400_000),
      () => void until(hasArrived).then(() => response.destroy()),
    )
  }
  const id = begin()
  await reaches(id, 'failed')
  answers[0] = (_, response) => void response.writeHead(200, headers).end(twos.content)
  downloads.resume(id)
  await reaches(id, 'done')
  expect(asked).toEqual([undefined, undefined])
  expect(readFileSync(target).equals(twos.content)).toBe(true)
})

test('two downloads to one target are two files, each whole', async () => {
  const { answers, target, parts, begin, reaches } = await openPlace()
  const waiting = new Map<string, ServerResponse>()
  answers[0] = (_, response, url) => {
    const { content, etag } = url.includes('twos') ? twos : ones
    response.writeHead(200, { etag, 'content-length': content.length })
    response.write(content.subarray(0, mebibyte / 2))
    waiting.set(url.includes('twos') ? 'twos' : 'ones', response)
  }
  const [first, second] = [begin('ones'), begin('twos')]
  await until(() => parts().filter((part) => statSync(part).size === mebibyte / 2).length === 2 || undefined)
  waiting.get('ones')?.end(ones.content.subarray(mebibyte / 2))
  await reaches(first, 'done')
  expect(readFileSync(target).equals(ones.content)).toBe(true)
  waiting.get('twos')?.end(twos.content.subarray(mebibyte / 2))
  const last = await reaches(second, 'done')
  expect(readFileSync(target).equals(ones.content)).toBe(true)
  expect(last.target).toBe(`${target} (2)`)
  expect(readFileSync(last.target).equals(twos.content)).toBe(true)
})

const whole =
  ({ content, etag }: Served): Answer =>
  (_, response) =>
    void response.writeHead(200, { etag, 'content-length': content.length }).end(content)

test('a file that got its name as the program was killed is not saved a second time', async () => {
  const { answers, asked, startAnew, killed, target, begin, parts } = await openPlace()
  answers[0] = whole(ones)
  killed.isSo = true
  const id = begin()
  await until(() => (existsSync(target) && parts().length === 0 ? true : undefined))
  const again = await startAnew()
  expect(again.list('a', 'p').map(({ state }) => state)).toEqual(['stopped'])
  killed.isSo = false
  again.resume(id)
  const done = await until(() => again.list('a', 'p').find(({ state }) => state === 'done'))
  expect([done.target, done.bytesDone, asked.length]).toEqual([target, mebibyte, 1])
  expect(readdirSync(path.dirname(target)).filter((name) => name.startsWith('file'))).toEqual(['file'])
})

test('a file that came to its target meanwhile stays; one that was to be replaced does not', async () => {
  const { answers, downloads, target, begin, reaches, beginBroken } = await openPlace()
  const { id } = await beginBroken(ones)
  writeFileSync(target, 'written meanwhile')
  answers[0] = (headers, response) => answerRange(ones, headers, response)
  downloads.resume(id)
  const done = await reaches(id, 'done')
  expect(readFileSync(target, 'utf8')).toBe('written meanwhile')
  expect(readFileSync(done.target).equals(ones.content)).toBe(true)
  await reaches(begin(), 'done')
  expect(readFileSync(target).equals(ones.content)).toBe(true)
})

test('what was saved is compared with what the package says; another is told, and fetched anew in its place', async () => {
  const { answers, asked, downloads, target, begin, reaches, judge } = await openPlace()
  judge.of = (content) => Promise.resolve(verdict(content.equals(ones.content) ? 'preserved' : 'changed'))
  answers[0] = whole(twos)
  const id = begin()
  const altered = await reaches(id, 'altered')
  expect([altered.verdict?.is, readFileSync(target).equals(twos.content)]).toEqual(['changed', true])
  expect(downloads.unfinished('a').map((row) => row.id)).toEqual([id])
  answers[0] = whole(ones)
  await until(() => {
    downloads.resume(id)
    return downloads.list('a', 'p')[0]?.state !== 'altered' || undefined
  })
  const again = await until(() => downloads.list('a', 'p').find((row) => row.verdict?.is === 'preserved'))
  expect([again.state, again.target, readFileSync(target).equals(ones.content)]).toEqual([
    'done',
    target,
    true,
  ])
  expect(asked).toEqual([undefined, undefined])
  expect(downloads.unfinished('a')).toEqual([])
})

test('what cannot be compared is saved all the same, and nothing is said of it', async () => {
  const { answers, target, begin, told, judge, reaches } = await openPlace()
  const compared = Promise.withResolvers<void>()
  judge.of = () => {
    compared.resolve()
    return Promise.reject(new Failed({ kind: 'offline', address: '', detail: '' }))
  }
  answers[0] = whole(ones)
  const id = begin()
  await compared.promise
  const { failure, verdict: said } = await reaches(id, 'done')
  expect([failure, said, readFileSync(target).equals(ones.content)]).toEqual([null, null, true])
  expect(told.filter(({ state }) => state === 'failed')).toEqual([])
})

test('what was saved as the program ended is compared at the next start, once', async () => {
  const { answers, asked, bugs, begin, judge, reaches, startAnew, target } = await openPlace()
  const [comparing, over] = [Promise.withResolvers<void>(), Promise.withResolvers<Verdict>()]
  judge.of = () => {
    comparing.resolve()
    return over.promise
  }
  answers[0] = whole(ones)
  const id = begin()
  await comparing.promise
  expect((await reaches(id, 'done')).verdict).toBeNull()
  const ended = startAnew()
  over.reject(new Error('The program ends.'))
  const again = await ended
  let compared = 0
  judge.of = (content) => {
    compared += 1
    return Promise.resolve(verdict(content.equals(ones.content) ? 'preserved' : 'changed'))
  }
  await again.compareLeft('another archive')
  expect(compared).toBe(0)
  await again.compareLeft('a')
  expect(again.list('a', 'p')).toMatchObject([{ id, target, state: 'done', verdict: { is: 'preserved' } }])
  await again.compareLeft('a')
  expect([compared, asked.length, bugs]).toEqual([1, 1, []])
})

test('what could not be compared is compared later where its archive was away, and not where the file is', async () => {
  const { answers, begin, bugs, judge, reaches, startAnew, target } = await openPlace()
  const tried = Promise.withResolvers<void>()
  judge.of = () => {
    tried.resolve()
    return Promise.reject(new Failed({ kind: 'offline', address: '', detail: '' }))
  }
  answers[0] = whole(ones)
  const id = begin()
  await tried.promise
  await reaches(id, 'done')
  const again = await startAnew()
  const there = readFileSync(target)
  rmSync(target)
  // It is read where it was saved: `judge` is not even asked.
  await again.compareLeft('a')
  writeFileSync(target, there)
  judge.of = () => Promise.reject(new Error('It is compared once more.'))
  await again.compareLeft('a')
  expect(again.list('a', 'p')).toMatchObject([{ id, state: 'done', verdict: null, failure: null }])
  expect(bugs).toEqual([])
})
