import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inMemory, buildFrames, type Drawn, type Source } from '../../viewer/frames.ts'
import { captured, tarOf, warc, warcGz, zipOf } from '../../viewer/specimens.ts'

let frames: Awaited<ReturnType<typeof buildFrames>>
beforeAll(async () => {
  frames = await buildFrames()
})
afterAll(() => frames.close())

const factsOf = ({ facts }: Drawn) => Object.fromEntries(facts.map(({ name, value }) => [name, value]))
const linesOf = async (drawn: Drawn) =>
  (await drawn.text()).split('\n').map((line) => line.replace(/ {2}.*$/, ''))

const numbered = Array.from({ length: 2_000 }, (_, number) => `akt ${number}`)
const files = { 'ritningar/1951/plan.txt': 'Källarplan', 'brev.txt': 'Hamnkontoret, å ä ö' }

describe('containers', () => {
  test.each([
    ['paket.zip', 'zip', () => zipOf(files)],
    ['lagrad.zip', 'zip', () => zipOf(files, false)],
    ['paket.tar', 'tar', () => tarOf(files)],
    ['paket.tgz', 'gzip', async () => gzipSync(await tarOf(files))],
  ])('the files of %s are listed, and opened', async (name, kind, make) => {
    const drawn = await frames.show(inMemory(name, await make()))
    await drawn.until(({ facts }) => facts.length > 0)
    expect([drawn.kind, drawn.trouble, drawn.requests]).toEqual([kind, undefined, []])
    expect(factsOf(drawn)).toEqual({ files: '2', unpacked: '33 B' })
    expect((await drawn.text()).split('\n').map((line) => line.trim().split('  ')[0])).toEqual(
      expect.arrayContaining(['ritningar', '1951', 'plan.txt', 'brev.txt']),
    )
    await drawn.frame.getByText('brev.txt').click()
    await drawn.until((now) => now.kind === 'text' && now.tools.includes('text'))
    expect(drawn.inside).toEqual(['brev.txt'])
    await drawn.frame.getByText('Hamnkontoret, å ä ö').waitFor()
    await drawn.close()
  })

  test.each([
    ['paket.tar', () => tarOf(Object.fromEntries(numbered.map((name) => [name, Buffer.alloc(5_000, 1)])))],
    [
      'lista.xml',
      () => Buffer.from(`<a>${numbered.map((name) => `<b>${name.repeat(100)}</b>`).join('')}</a>`),
    ],
    ['lista.json', () => Buffer.from(JSON.stringify(numbered.map((name) => name.repeat(100))))],
  ] as const)('the rest of %s that an archive does not give is not called damaged', async (name, make) => {
    const whole = await make()
    const read: Source['read'] = ({ first, last }) =>
      last < 1_000_000
        ? Promise.resolve(whole.subarray(first, last + 1))
        : Promise.reject(new Error('The archive is away.'))
    const drawn = await frames.show({ name, bytes: whole.length, read })
    await expect.poll(() => drawn.notes).toEqual([expect.stringMatching(/does not give the rest/)])
    await drawn.close()
  })

  test('a tar that is cut in the middle of a file says that its list ends there', async () => {
    const whole = await tarOf({ 'a.txt': 'hel', 'b.bin': Buffer.alloc(4_000, 1) })
    const drawn = await frames.show(inMemory('paket.tar', whole.subarray(0, 512 + 512 + 512 + 1_000)))
    await drawn.frame.getByText('a.txt').waitFor()
    expect(drawn.notes).toContain('The list of files ends here: what follows is damaged.')
    await drawn.close()
  })

  test('one walks through the folders by keys, into what lies in what is inside', async () => {
    const inner = await tarOf({ 'djupt/fil.txt': 'Längst in' })
    const drawn = await frames.show(inMemory('yttre.zip', await zipOf({ 'mapp/inre.tar': inner })))
    const grid = drawn.frame.getByRole('treegrid', { name: 'Name' })
    await grid.press('ArrowDown')
    await grid.press('Enter')
    await drawn.until(({ kind }) => kind === 'tar')
    await grid.press('ArrowDown')
    await grid.press('Enter')
    await drawn.until(({ kind }) => kind === 'text')
    expect(drawn.inside).toEqual(['inre.tar', 'fil.txt'])
    await drawn.ask({ ask: 'act', act: 'back' })
    await drawn.until(({ kind }) => kind === 'tar')
    expect(drawn.inside).toEqual(['inre.tar'])
    await drawn.close()
  })

  test('folders fold, and say so', async () => {
    const drawn = await frames.show(inMemory('paket.tar', await tarOf(files)))
    const folder = drawn.frame.getByRole('row', { name: 'ritningar' })
    await expect.poll(() => folder.getAttribute('aria-expanded')).toBe('true')
    await drawn.frame.getByRole('treegrid').press('ArrowLeft')
    await expect.poll(() => folder.getAttribute('aria-expanded')).toBe('false')
    expect(await drawn.frame.getByText('1951', { exact: true }).count()).toBe(0)
    await drawn.ask({ ask: 'act', act: 'find', text: 'plan', isBackwards: false })
    await drawn.until(({ standing }) => standing.found?.number === 1 && standing.found.of === 1)
    await drawn.frame.locator('mark', { hasText: 'plan' }).waitFor()
    await drawn.close()
  })

  test('a folder of 100 000 files is shown at once', async () => {
    const name = (at: number) => `mapp ${Math.floor(at / 1000)}/fil ${at}.txt`
    const header = (at: number) => {
      const block = Buffer.alloc(512)
      block.write(name(at), 0)
      block.write('0000644\0', 100)
      block.write('00000000000\0', 124)
      block.write('14000000000\0', 136)
      block.write('        0', 148)
      const sum = block.reduce((all, byte) => all + byte, 0)
      block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
      return block
    }
    const bytes = 1024 + 100_000 * 512
    const whole = (first: number, last: number) => {
      const part = Buffer.alloc(last - first + 1)
      for (let at = Math.floor(first / 512); at * 512 <= last && at < 100_000; at += 1) {
        const from = Math.max(first, at * 512)
        header(at).copy(part, from - first, from - at * 512, Math.min(512, last + 1 - at * 512))
      }
      return part
    }
    const drawn = await frames.show({
      name: 'stor.tar',
      bytes,
      read: ({ first, last }) => Promise.resolve(whole(first, last)),
    })
    expect(drawn.read).toBeLessThan(20_000_000)
    await drawn.until(({ facts }) => facts.length > 0)
    expect(factsOf(drawn)['files']).toBe('100,000')
    expect(await drawn.frame.locator('.outline-row').count()).toBeLessThan(60)
    await drawn.close()
  })

  test('of a tar with a film of 50 GB the headers alone are read', async () => {
    const small = await tarOf({ 'a.txt': 'a', 'b.txt': 'b' })
    const filmBytes = 50_000_000_000
    const large = Buffer.from(small.subarray(0, 512))
    large.write('film.mov', 0, 100, 'latin1')
    large.fill(0, 8, 20)
    large.writeUInt8(0x80, 124)
    large.fill(0, 125, 136)
    large.writeBigUInt64BE(BigInt(filmBytes), 128)
    large.write('        ', 148)
    const sum = large.reduce((all, byte) => all + byte, 0)
    large.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    const film = Math.ceil(filmBytes / 512) * 512
    const source: Source = {
      name: 'stor.tar',
      bytes: 512 + film + small.length,
      read: ({ first, last }) => {
        const part = Buffer.alloc(last - first + 1)
        if (first < 512) large.copy(part, 0, first)
        const rest = 512 + film
        if (last >= rest) small.copy(part, Math.max(0, rest - first), Math.max(0, first - rest))
        return Promise.resolve(part)
      },
    }
    const drawn = await frames.show(source)
    await drawn.until(({ facts }) => facts.length > 0)
    expect(factsOf(drawn)).toEqual({ files: '3', unpacked: '50 GB' })
    expect(drawn.read).toBeLessThan(1_000_000)
    await drawn.close()
  })

  test('what is damaged, cut or a bomb ends in a sentence', async () => {
    const zip = await zipOf(files)
    const cut = await frames.show(inMemory('cut.zip', zip.subarray(0, zip.length - 40)))
    expect([cut.kind, cut.trouble]).toEqual(['zip', 'broken'])
    await cut.close()

    const tar = await tarOf(files)
    tar.fill(7, 1024, 1500)
    const torn = await frames.show(inMemory('torn.tar', tar))
    await torn.until(({ notes }) => notes.length > 0)
    expect(torn.notes).toEqual(['The list of files ends here: what follows is damaged.'])
    await torn.close()

    const bomb = await zipOf({ 'bomb.txt': 'x' })
    bomb.writeUInt32LE(300_000_000, bomb.indexOf('PK\x01\x02') + 24)
    const loaded = await frames.show(inMemory('bomb.zip', bomb))
    await loaded.frame.getByText('bomb.txt').click()
    await loaded.until(({ notes }) => notes.length > 0)
    expect(loaded.notes).toEqual([
      '“bomb.txt” is too large to be unpacked here. Save a copy and unpack that.',
    ])
    await loaded.close()
  })

  test('a name that would lead elsewhere takes no other file away', async () => {
    const zip = await zipOf({ 'aa/aut.txt': 'Ute', 'brev.txt': 'Hamnkontoret', 'babs.txt': 'Rot' })
    const bytes = Buffer.from(
      zip.toString('latin1').replaceAll('aa/aut', '../aut').replaceAll('babs', '/abs'),
      'latin1',
    )
    const drawn = await frames.show(inMemory('paket.zip', bytes))
    expect([drawn.kind, drawn.trouble]).toEqual(['zip', undefined])
    expect(await drawn.text()).toMatch(/^abs\.txt.*\nbrev\.txt.*\n\.\. .*\n {2}aut\.txt/)
    await drawn.frame.getByText('brev.txt').click()
    await drawn.frame.getByText('Hamnkontoret').waitFor()
    await drawn.close()
  })

  test('what is locked is said to be', async () => {
    const zip = await zipOf({ 'hemligt.txt': 'x' })
    for (const signature of ['PK\x01\x02', 'PK\x03\x04']) {
      const at = zip.indexOf(signature) + (signature === 'PK\x01\x02' ? 8 : 6)
      zip.writeUInt16LE(zip.readUInt16LE(at) | 1, at)
    }
    const drawn = await frames.show(inMemory('låst.zip', zip))
    expect(await linesOf(drawn)).toEqual(['hemligt.txt'])
    await drawn.frame.getByText('hemligt.txt').click()
    await drawn.until(({ notes }) => notes.length > 0)
    expect(drawn.notes).toEqual(['“hemligt.txt” needs a password, which cannot be given here.'])
    await drawn.close()
  })
})

/** The page that is drawn in the frame in the frame, into which nothing can look: this test neither. */
const pageWith = async (drawn: Drawn, text: string) => {
  const handle = await drawn.frame.waitForFunction((wanted) => {
    const page = document.querySelector<HTMLIFrameElement>('iframe.page')?.srcdoc ?? ''
    return page.includes(wanted) ? page : undefined
  }, text)
  return (await handle.jsonValue()) ?? ''
}

describe('web archives', () => {
  test('a length that is no row of figures ends the list', async () => {
    const http = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n'
    const body = 'x'.repeat(1_000 - http.length)
    const page = { address: 'https://hamnen.example/', type: 'text/html', body }
    const whole = warc([page, page]).toString('latin1')
    const last = whole.lastIndexOf('Content-Length: 1000')
    const bent = whole.slice(0, last) + whole.slice(last).replace('1000', '1e3')
    const drawn = await frames.show(inMemory('webb.warc', bent))
    expect(drawn.notes).toEqual(['The list ends here: what follows in the file is damaged.'])
    await drawn.close()
  })

  test('pages are found by their address, then by their title and what they say', async () => {
    const page = (name: string, body: string) => ({
      address: `https://hamnen.example/${name}`,
      type: 'text/html; charset=utf-8',
      body,
    })
    const bytes = warc([
      page('a', '<title>Om kajen</title><script>var bryggan</script><p>Byggd 1873.'),
      page('b', '<p>Ett f&ouml;rslag om <b>kranar</b>.'),
      page('kranar', '<p>Inget.'),
    ])
    const drawn = await frames.show(inMemory('webb.warc', bytes))
    const chosen = () => drawn.frame.locator('[aria-selected=true]').innerText()
    for (const [text, count, first] of [
      ['om kajen', 1, 'example/a'],
      ['förslag', 1, 'example/b'],
      ['kranar', 2, 'example/b'],
      ['bryggan', 0, 'example/b'],
    ] as const) {
      await drawn.ask({ ask: 'act', act: 'find', text: 'hamnen.example', isBackwards: false })
      await drawn.ask({ ask: 'act', act: 'find', text, isBackwards: false })
      await drawn.until(({ standing }) => standing.found?.of === count)
      if (count === 1) await expect.poll(chosen).toContain(first)
    }
    await drawn.close()
  })

  test('a search that is ended says no more how far it is', async () => {
    const pages = Array.from({ length: 3000 }, (_, number) => ({
      address: `https://hamnen.example/${number}`,
      type: 'text/html',
      body: number === 0 ? '<p>Kajen' : '<p>Inget',
    }))
    const drawn = await frames.show(inMemory('webb.warc', warc(pages)))
    await drawn.until(({ facts }) => facts.length > 0)
    await drawn.ask({ ask: 'act', act: 'find', text: 'kajen', isBackwards: false })
    await drawn.until(({ standing }) => standing.found?.number === 1)
    await drawn.ask({ ask: 'act', act: 'find', text: '', isBackwards: false })
    await drawn.frame.locator('.progress').waitFor({ state: 'hidden' })
    await drawn.close()
  })

  test('addresses are read as people write them, and whole', async () => {
    const address = `https://hamnen.example/s%C3%B6k?q=%C3%A5r%201938&url=%2Fa%26b%E2%80%AE${'&sida=2'.repeat(40)}`
    const drawn = await frames.show(
      inMemory('webb.warc', warc([{ address, type: 'text/html', body: '<p>Kajen' }])),
    )
    const readable = address.replace('%C3%B6', 'ö').replace('%C3%A5', 'å')
    await drawn.frame.getByText(readable).click()
    const shown = drawn.frame.locator('.page-bar .address')
    expect(await shown.innerText()).toBe(readable)
    expect(await shown.evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0)
    await drawn.close()
  })

  test('what was the same as before is shown as it was then, or said not to be there', async () => {
    const again = (address: string, sameAs: string) => ({ address, sameAs, type: 'text/html', body: '' })
    const drawn = await frames.show(
      inMemory(
        'webb.warc',
        warc([
          again('https://hamnkontoret.example/nytt', 'https://hamnkontoret.example/om.html'),
          ...captured,
          again('https://hamnkontoret.example/annat', 'https://elsewhere.example/'),
        ]),
      ),
    )
    await drawn.until(({ facts }) => facts.length > 0)
    await drawn.frame.getByText('https://hamnkontoret.example/annat').click()
    await drawn.until(({ notes }) => notes.length > 0)
    expect(drawn.notes).toEqual([
      'https://hamnkontoret.example/annat was the same as when it was captured before, ' +
        'and that capture is not in this file.',
    ])
    await drawn.frame.getByText('https://hamnkontoret.example/nytt').click()
    await pageWith(drawn, '<h1>Om hamnkontoret</h1>')
    await drawn.close()
  })

  test.each([
    ['webb.warc', warc],
    ['webb.warc.gz', warcGz],
  ])('a page of %s is drawn from what was captured alone', async (name, make) => {
    const drawn = await frames.show(inMemory(name, make(captured)))
    await drawn.until(({ facts }) => facts.length > 0)
    expect([drawn.kind, drawn.trouble]).toEqual(['webArchive', undefined])
    expect(factsOf(drawn)).toEqual({ webPages: '2', captures: '5' })
    await drawn.frame.getByText('https://hamnkontoret.example/', { exact: true }).click()
    const page = await pageWith(drawn, '<h1>Hamnkontoret</h1>')
    expect(page).toMatch(/<img src="data:image\/png;base64,[^"]+" alt="Kajen"/)
    expect(page).toContain('<img alt="Borta">')
    expect(page).toContain('<style>h1 { color: rgb(140, 59, 42) }</style>')
    expect(page).not.toMatch(/<script|<link|href=|ran/)
    const isSaid = (note: string) => note.startsWith('One picture or style of this page is not in the file')
    await drawn.until(({ notes }) => notes.some(isSaid))
    await drawn.frame.getByText('1 captured link').click()
    await drawn.frame.getByRole('button', { name: 'Om oss' }).click()
    await pageWith(drawn, '<h1>Om hamnkontoret</h1>')
    await drawn.frame.getByRole('button', { name: 'All pages' }).click()
    await drawn.frame.getByRole('treegrid', { name: 'Captured pages' }).waitFor()
    expect(drawn.requests).toEqual([])
    await drawn.close()
  })

  test('all that was captured can be listed, and what is no page is opened as a file', async () => {
    const drawn = await frames.show(inMemory('webb.warc', warc(captured)))
    await drawn.ask({ ask: 'act', act: 'choose', name: 'order', value: 'all' })
    await drawn.frame.getByText('https://hamnkontoret.example/bild.png').click()
    await drawn.until(({ kind }) => kind === 'picture')
    expect(drawn.inside).toEqual(['bild.png'])
    await drawn.close()
  })

  test('an archive that is cut shows what comes before, and says so', async () => {
    const whole = warcGz(captured)
    const drawn = await frames.show(inMemory('webb.warc.gz', whole.subarray(0, whole.length - 60)))
    await drawn.until(({ notes }) => notes.length > 0)
    expect(drawn.notes).toEqual(['The list ends here: what follows in the file is damaged.'])
    expect((await drawn.text()).split('\n').length).toBeGreaterThan(0)
    await drawn.close()
  })
})
