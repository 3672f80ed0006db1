import { afterAll, beforeAll, expect, test } from 'vitest'
import { inMemory, buildFrames, type Drawn, type Source } from '../../viewer/frames.ts'
import { keptFile, wav, wavHeader, zipOf } from '../../viewer/specimens.ts'

let frames: Awaited<ReturnType<typeof buildFrames>>
beforeAll(async () => {
  frames = await buildFrames()
})
afterAll(() => frames.close())

const factsOf = ({ facts }: Drawn) => Object.fromEntries(facts.map(({ name, value }) => [name, value]))

test('a recording plays, says what it is, and is gone through by keys', async () => {
  const drawn = await frames.show(inMemory('syn.wav', wav(40)))
  expect([drawn.kind, drawn.trouble, drawn.requests]).toEqual(['sound', undefined, []])
  expect(factsOf(drawn)).toEqual({
    duration: '0:40',
    codec: 'PCM',
    rate: '8 kHz',
    channels: 'one, mono',
    bitDepth: '16',
  })
  const position = drawn.frame.getByRole('slider', { name: 'Position' })
  await position.press('PageDown')
  await position.press('ArrowRight')
  await drawn.frame.waitForFunction(() => document.querySelector('audio')?.currentTime === 35)
  await drawn.frame.getByRole('combobox', { name: 'Speed' }).selectOption('1.5')
  expect(await drawn.frame.evaluate(() => document.querySelector('audio')?.playbackRate)).toBe(1.5)
  await drawn.close()
})

test('a recording goes on where it was when the page speaks another language', async () => {
  const drawn = await frames.show(inMemory('syn.wav', wav(40)))
  await drawn.frame.getByRole('slider', { name: 'Position' }).press('PageDown')
  await drawn.frame.getByRole('combobox', { name: 'Speed' }).selectOption('1.5')
  await drawn.ask({ ask: 'language', language: 'sv' })
  const speed = drawn.frame.getByRole('combobox', { name: 'Hastighet' })
  await speed.waitFor()
  await drawn.frame.waitForFunction(() => document.querySelector('audio')?.currentTime === 30)
  await drawn.frame.waitForFunction(() => document.querySelector('select')?.value === '1.5')
  await drawn.close()
})

test.each([
  ['syn.mp3', 'sound', { codec: 'MP3', title: 'Syn 1951', duration: '0:03' }],
  ['syn.flac', 'sound', { codec: 'FLAC', title: 'Syn 1951', maker: 'Byggnadsnämnden', rate: '8 kHz' }],
  ['syn.ogg', 'sound', { codec: 'Vorbis', duration: '0:03' }],
  ['film.webm', 'film', { codec: 'Vorbis, VP8', dimensions: '320 × 180', duration: '0:03' }],
])('%s is played', async (name, kind, facts) => {
  const drawn = await frames.show(inMemory(name, keptFile(name)))
  expect([drawn.kind, drawn.trouble, drawn.notes, drawn.requests]).toEqual([kind, undefined, [], []])
  expect(factsOf(drawn)).toMatchObject(facts)
  await drawn.close()
})

test('a film in H.264 is played where this Chromium decodes it, else said to be one', async () => {
  const drawn = await frames.show(inMemory('film.mp4', keptFile('film.mp4')))
  const isDecoded = await drawn.frame.evaluate(
    () => document.createElement('video').canPlayType('video/mp4; codecs="avc1.64000c"') !== '',
  )
  expect(factsOf(drawn)['codec']).toBe('H.264, AAC')
  if (isDecoded) expect(factsOf(drawn)['dimensions']).toBe('320 × 180')
  else expect(drawn.notes).toEqual([expect.stringContaining('H.264, AAC')])
  await drawn.close()
})

test('a recording that is damaged ends in a sentence', async () => {
  const drawn = await frames.show(inMemory('syn.mp3', Buffer.from(`ID3${'x'.repeat(900)}`)), {
    language: 'sv',
  })
  expect([drawn.kind, drawn.trouble]).toEqual(['sound', undefined])
  expect(drawn.notes).toEqual([
    'Filen går inte att spela upp här. Datorn avkodar inte MP3, eller också är filen skadad.',
  ])
  await drawn.close()
})

const tenGigabytes = 10_000_000_000
/** A recording of a week, which is silent but for its beginning. */
const week = () => {
  const header = wavHeader(tenGigabytes)
  let given = 0
  const source: Source = {
    name: 'vecka.wav',
    bytes: header.length + tenGigabytes,
    read: ({ first, last }) => {
      const part = Buffer.alloc(last - first + 1)
      given += part.length
      if (first < header.length) header.copy(part, 0, first)
      return Promise.resolve(part)
    },
  }
  return { source, given: () => given }
}

test('of 10 GB a little is read, and any place is reached', async () => {
  const { source, given } = week()
  const drawn = await frames.show(source)
  expect([drawn.kind, drawn.trouble, drawn.notes]).toEqual(['sound', undefined, []])
  expect(given()).toBeLessThan(60_000_000)
  expect(factsOf(drawn)['duration']).toBe('173:36:40')
  const seeked = await drawn.frame.evaluate(async () => {
    const audio = document.querySelector('audio')
    if (!audio) return -1
    const end = new Promise((done) => audio.addEventListener('seeked', done, { once: true }))
    audio.currentTime = 500_000
    await end
    return audio.currentTime
  })
  expect(seeked).toBe(500_000)
  expect(given()).toBeLessThan(100_000_000)
  await drawn.close()
})

test('a recording in a zip is played from memory', async () => {
  const drawn = await frames.show(inMemory('paket.zip', await zipOf({ 'syn.wav': wav(2) })))
  await drawn.frame.getByText('syn.wav').click()
  await drawn.until(({ kind, facts }) => kind === 'sound' && facts.length > 0)
  expect(factsOf(drawn)['duration']).toBe('0:02')
  await drawn.close()
})
