import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inMemory, buildFrames } from '../../viewer/frames.ts'
import { htmlLetter, mailbox, outlookLetter, plainLetter } from '../../viewer/letters.ts'
import { outlookMailbox } from '../../viewer/outlook.ts'
import type { Source } from '../../viewer/frames.ts'

let frames: Awaited<ReturnType<typeof buildFrames>>
beforeAll(async () => {
  frames = await buildFrames()
}, 60_000)
afterAll(() => frames.close())

describe('a letter', () => {
  test('without a date is a letter by its name, and says that it has none', async () => {
    const undated = 'From: Nils Ek <nils@hamnen.example>\r\nSubject: Kajen\r\n\r\nHundra kronor.'
    const drawn = await frames.show(inMemory('brev.eml', undated))
    expect(drawn.kind).toBe('letter')
    expect(await drawn.frame.locator('dl').innerText()).toMatch(/Date\s+not given/)
    await drawn.close()
    const text = await frames.show(inMemory('brev.txt', undated))
    expect(text.kind).toBe('text')
    await text.close()
  })

  test('is drawn with its head, and nothing of it is fetched or run', async () => {
    const drawn = await frames.show(inMemory('brev.eml', htmlLetter))
    expect([drawn.kind, drawn.trouble, drawn.detail]).toEqual(['letter', undefined, ''])
    expect(await drawn.frame.locator('h1').innerText()).toBe('Ritningar över källaren')
    expect(await drawn.frame.locator('dl').innerText()).toContain('Åsa Öberg <asa@hamnen.example>')
    const body = drawn.frame.frameLocator('iframe')
    expect(await body.locator('h2').innerText()).toBe('Källarplan')
    const bad = 'script, form, input, iframe, object, link, svg, meta[http-equiv=refresh]'
    expect(await body.locator(bad).count()).toBe(0)
    expect(await body.locator('a[href], [onclick], [onload]').count()).toBe(0)
    expect(await body.locator('a[title="https://far.example/plan"]').innerText()).toBe('Planen')
    const width = await body
      .locator('img[alt=plan]')
      .evaluate((image: HTMLImageElement) => image.naturalWidth)
    expect(width).toBe(10)
    expect(drawn.notes).toEqual(['2 pictures in this letter lie on the internet. They were not fetched.'])
    expect(drawn.requests).toEqual([])
    expect(await drawn.text()).toContain('Här är ritningarna')
    await drawn.close()
  })

  test('gives what is enclosed to be opened, a letter in it too, and leads back', async () => {
    const drawn = await frames.show(inMemory('brev.eml', htmlLetter))
    const attachments = drawn.frame.getByRole('list', { name: 'Attachments' })
    expect(await attachments.getByRole('button').allInnerTexts()).toEqual([
      'mått.txt\n13 bytes',
      '2.eml\n109 bytes',
    ])
    await attachments.getByRole('button', { name: 'mått.txt' }).click()
    await drawn.frame.locator('pre').getByText('Takhöjd 2,40', { exact: true }).waitFor()
    expect([drawn.kind, drawn.inside]).toEqual(['text', ['mått.txt']])
    await drawn.ask({ ask: 'act', act: 'back' })
    await drawn.until(({ kind, inside }) => kind === 'letter' && inside.length === 0)
    await attachments.getByRole('button', { name: '2.eml' }).click()
    await drawn.until(({ inside }) => inside.length === 1)
    await drawn.frame.getByRole('heading', { name: 'Inre brev' }).waitFor()
    await drawn.close()
  })

  test('is searched, in its HTML too', async () => {
    const drawn = await frames.show(inMemory('brev.eml', htmlLetter), { looked: 'ritningarna' })
    await drawn.until(({ standing }) => standing.found?.of === 1)
    expect(await drawn.frame.frameLocator('iframe').locator('mark.shown').innerText()).toBe('ritningarna')
    await drawn.close()
  })

  test('is searched in its head too: about what, between whom, and with what enclosed', async () => {
    const drawn = await frames.show(inMemory('brev.eml', htmlLetter), { looked: 'ritningar' })
    await drawn.until(({ standing }) => standing.found?.of === 2)
    expect(await drawn.frame.locator('h1 mark.shown').innerText()).toBe('Ritningar')
    await drawn.ask({ ask: 'act', act: 'find', text: 'ritningar', isBackwards: false })
    await drawn.until(({ standing }) => standing.found?.number === 2)
    expect(await drawn.frame.locator('mark.shown').count()).toBe(0)
    expect(await drawn.frame.frameLocator('iframe').locator('mark.shown').innerText()).toBe('ritningar')
    for (const [words, place] of [
      ['asa@hamnen', 'dd mark.shown'],
      ['arkivet@stad', 'dd mark.shown'],
      ['MÅTT', '.attachments mark.shown'],
    ] as const) {
      await drawn.ask({ ask: 'act', act: 'find', text: words, isBackwards: false })
      await drawn.until(({ standing }) => standing.found?.of === 1)
      expect((await drawn.frame.locator(place).innerText()).toLowerCase()).toBe(words.toLowerCase())
    }
    // What the program says of it is not of the letter.
    await drawn.ask({ ask: 'act', act: 'find', text: '13 bytes', isBackwards: false })
    await drawn.until(({ standing }) => standing.found?.of === 0)
    await drawn.close()
  })

  test('of Outlook is drawn with what is enclosed', async () => {
    const drawn = await frames.show(inMemory('brev.msg', outlookLetter()))
    expect([drawn.kind, drawn.trouble, drawn.detail]).toEqual(['letter', undefined, ''])
    expect(await drawn.frame.locator('h1').innerText()).toBe('Anbud på kajen')
    expect(await drawn.frame.locator('article').innerText()).toContain('Nils Ek <nils@hamnen.example>')
    expect(await drawn.text()).toContain('Bifogat följer anbudet.')
    await drawn.frame.getByRole('button', { name: 'anbud.txt' }).click()
    await drawn.frame.locator('pre').getByText('Hundra kronor', { exact: true }).waitFor()
    expect(drawn.requests).toEqual([])
    await drawn.close()
  })

  test('one in Rich Text alone shows its words, and is an attachment of its own', async () => {
    const drawn = await frames.show(inMemory('brev.msg', outlookLetter(true)))
    expect([drawn.kind, drawn.trouble]).toEqual(['letter', undefined])
    expect(await drawn.text()).toContain('Bifogat följer anbudet.')
    expect(drawn.notes).toEqual([
      'The letter is written in Rich Text. These are its words. The attachment “letter.rtf” has its layout.',
    ])
    await drawn.frame.getByText('letter.rtf').click()
    await drawn.until(({ kind }) => kind === 'rtf')
    await drawn.frame.getByText('Bifogat följer anbudet.').waitFor()
    await drawn.close()
  })

  test('of Outlook that is cut ends in a sentence', async () => {
    const drawn = await frames.show(inMemory('brev.msg', outlookLetter().subarray(0, 700)))
    expect([drawn.kind, drawn.trouble]).toEqual(['letter', 'broken'])
    await drawn.close()
  })
})

describe('a mailbox', () => {
  test('is listed without scrolling sideways where the reader stands on a common screen', async () => {
    const drawn = await frames.show(inMemory('kontoret.mbox', mailbox(40)), { width: 624 })
    const list = drawn.frame.getByRole('grid', { name: 'Letters' })
    expect(await list.evaluate((scroller) => scroller.scrollWidth - scroller.clientWidth)).toBe(0)
    await drawn.close()
  })

  test('is listed, sorted, and its letters are read', async () => {
    const drawn = await frames.show(inMemory('kontoret.mbox', mailbox(40)))
    expect([drawn.kind, drawn.trouble, drawn.detail]).toEqual(['mailbox', undefined, ''])
    await drawn.until(({ facts }) => facts.some(({ name, value }) => name === 'letters' && value === '40'))
    const grid = drawn.frame.getByRole('grid', { name: 'Letters' })
    const letter = drawn.frame.getByRole('article')
    await letter.getByText('Brev nummer 0 om kajen.').waitFor()
    expect(await letter.locator('.text').innerText()).toContain('\nFrom nu handlar')
    expect(await letter.locator('.text').innerText()).toContain('\n>From Kajskjul 0')
    await grid.getByText('Ärende 3', { exact: true }).click()
    await letter.getByText('Brev nummer 3 om kajen.').waitFor()
    await grid.getByRole('button', { name: 'From' }).click()
    expect(await grid.locator('[data-row="0"] [data-column="1"]').innerText()).toBe('Person 0')
    await grid.getByRole('button', { name: 'Date' }).click()
    await grid.getByRole('button', { name: 'Date' }).click()
    const dates = await grid.locator('[data-column="0"]').allInnerTexts()
    const times = dates.map((date) => Date.parse(date))
    expect(times).toEqual(times.toSorted((one, other) => other - one))
    expect(drawn.requests).toEqual([])
    await drawn.close()
  })

  test('lists conversations one after the other', async () => {
    const drawn = await frames.show(inMemory('kontoret.mbox', mailbox(9)))
    await drawn.until(({ facts }) => facts.length > 0)
    await drawn.ask({ ask: 'act', act: 'choose', name: 'order', value: 'threads' })
    await drawn.until(({ standing }) => standing.choices?.[0]?.chosen === 'threads')
    const subjects = await drawn.frame.locator('.rows-body [data-column="2"]').allInnerTexts()
    expect(subjects.slice(0, 4).map((text) => text.trim())).toEqual([
      'Ärende 0',
      'Ärende 1',
      '↳ Re: Ärende 1',
      'Ärende 3',
    ])
    await drawn.close()
  })

  test('is searched in senders and subjects, and then in what the letters say', async () => {
    const drawn = await frames.show(inMemory('kontoret.mbox', mailbox(60)), { looked: 'Kajskjul 57' })
    await drawn.until(({ standing }) => standing.found?.of === 1)
    expect(await drawn.frame.locator('article mark').innerText()).toBe('Kajskjul 57')
    await drawn.ask({ ask: 'act', act: 'find', text: 'person 16', isBackwards: false })
    await drawn.until(({ standing }) => standing.found?.of === 3)
    await drawn.close()
  })

  test('of a gigabyte shows its first letters having read little', async () => {
    const drawn = await frames.show(hugeMailbox())
    expect(drawn.kind).toBe('mailbox')
    await drawn.frame.getByRole('article').getByText('Brev nummer 0 om kajen.').waitFor()
    expect(drawn.read).toBeLessThan(64 * 1024 * 1024)
    await drawn.close()
  })

  test('in MMDF is one, whatever its name', async () => {
    const letters = mailbox(3).replaceAll(/^From .*\n/gm, '\x01\x01\x01\x01\n\x01\x01\x01\x01\n')
    const drawn = await frames.show(inMemory('kontoret', `${letters.slice(5)}\x01\x01\x01\x01\n`))
    expect([drawn.kind, drawn.trouble]).toEqual(['mailbox', undefined])
    await drawn.until(({ facts }) => facts.some(({ name, value }) => name === 'letters' && value === '3'))
    await drawn.frame.getByRole('article').getByText('Brev nummer 0 om kajen.').waitFor()
    expect(await drawn.text()).not.toContain('\x01')
    await drawn.close()
  })

  test('that is cut shows what there is of it', async () => {
    const drawn = await frames.show(inMemory('kontoret.mbox', mailbox(5).slice(0, -40)))
    await drawn.until(({ facts }) => facts.some(({ name, value }) => name === 'letters' && value === '5'))
    expect(drawn.trouble).toBeUndefined()
    await drawn.close()
  })
})

describe('a mailbox of Outlook', () => {
  test('is drawn by its folders, and its letters are read', async () => {
    const drawn = await frames.show(inMemory('arkiv.pst', outlookMailbox()))
    expect([drawn.kind, drawn.trouble, drawn.detail]).toEqual(['outlook', undefined, ''])
    expect(drawn.facts).toEqual([
      { name: 'letters', value: '3' },
      { name: 'folders', value: '2' },
    ])
    const folders = drawn.frame.getByRole('navigation', { name: 'Folders' })
    expect(await folders.getByRole('button').allInnerTexts()).toEqual(['Inkorg\n3', 'Utkast'])
    await drawn.frame.getByRole('article').getByText('Brev nummer 1 om kajen.').waitFor()
    await drawn.frame.getByRole('grid', { name: 'Letters' }).getByText('Kajskjul 3').click()
    const letter = drawn.frame.getByRole('article', { name: 'Kajskjul 3' })
    await letter.getByText('Brev nummer 3 om kajen.').waitFor()
    expect(await letter.locator('dl').innerText()).toContain('Nils Ek <nils@hamnen.example>')
    await drawn.ask({ ask: 'act', act: 'find', text: 'kajskjul 2', isBackwards: false })
    await drawn.until(({ standing }) => standing.found?.of === 1)
    // What a letter says is looked through after who sent it, and about what.
    await drawn.ask({ ask: 'act', act: 'find', text: 'nummer 1', isBackwards: false })
    await drawn.frame.getByRole('article').getByText('Brev nummer 1 om kajen.').waitFor()
    await folders.getByRole('button', { name: 'Utkast' }).click()
    await drawn.frame.getByText('There are no letters here.').waitFor()
    expect(drawn.requests).toEqual([])
    await drawn.close()
  })

  test('of gigabytes is read by parts', async () => {
    const whole = outlookMailbox()
    const bytes = 3_000_000_000
    const read: Source['read'] = ({ first, last }) => {
      const made = Buffer.alloc(last - first + 1)
      if (first < whole.length) made.set(whole.subarray(first, last + 1))
      return Promise.resolve(made)
    }
    const drawn = await frames.show({ name: 'stor.pst', bytes, read })
    await drawn.frame.getByRole('article').getByText('Brev nummer 1 om kajen.').waitFor()
    expect(drawn.read).toBeLessThan(2_000_000)
    await drawn.close()
  })

  test('that is cut ends in a sentence', async () => {
    const drawn = await frames.show(inMemory('arkiv.pst', outlookMailbox().subarray(0, 1700)))
    expect([drawn.kind, drawn.trouble]).toEqual(['outlook', 'broken'])
    await drawn.close()
  })
})

/** A hundred thousand letters of ten kilobytes, of which only what is asked for is ever made. */
const hugeMailbox = (): Source => {
  const letterBytes = 10_000
  const letterAt = (number: number) => Buffer.from(plainLetter(number).padEnd(letterBytes, '.\n'), 'latin1')
  return {
    name: 'stor.mbox',
    bytes: 100_000 * letterBytes,
    read: ({ first, last }) => {
      const from = Math.floor(first / letterBytes)
      const to = Math.floor(last / letterBytes)
      const letters = Array.from({ length: to - from + 1 }, (_, index) => letterAt(from + index))
      const start = first - from * letterBytes
      return Promise.resolve(Buffer.concat(letters).subarray(start, start + last - first + 1))
    },
  }
}
