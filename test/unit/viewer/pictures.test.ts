import { readFileSync } from 'node:fs'
import path from 'node:path'
import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inMemory, buildFrames, type Drawn } from '../../viewer/frames.ts'
import { profileName } from '../../../renderer/viewer/formats/colour-profile.ts'
import { hugeJpeg } from '../../viewer/huge-jpeg.ts'
import { hugePng, interlacedPng } from '../../viewer/huge-png.ts'
import { drawingWithoutEnd } from '../../essarch/files.ts'
import { hugeTiff, subsampledTiff } from '../../viewer/tiff.ts'
import { planDxf } from '../../viewer/dxf.ts'
import { makePdf } from '../../viewer/make-pdf.ts'
import { present } from '../../support/present.ts'

let frames: Awaited<ReturnType<typeof buildFrames>>
beforeAll(async () => {
  frames = await buildFrames()
})
afterAll(() => frames.close())

const bytesOf = (name: string) => readFileSync(path.resolve(import.meta.dirname, '../../viewer/files', name))
const show = (name: string, bytes: Uint8Array = bytesOf(name)) => frames.show(inMemory(name, bytes))

test('a drawing that would compute for ever is counted before it is drawn', async () => {
  const drawn = await show('utan-slut.svg', Buffer.from(drawingWithoutEnd))
  expect([drawn.kind, drawn.trouble]).toEqual(['drawing', 'too complex'])
  await drawn.close()
})

/** The colour that is seen at a place of the picture, in shares of its width and height. */
const colourAt = (drawn: Drawn, x: number, y: number, width = 96, height = 72) => {
  const { view } = drawn.standing
  if (!view) throw new Error('Nothing is seen.')
  const place = { x: (x - view.x) * width * view.zoom, y: (y - view.y) * height * view.zoom }
  return drawn.frame.evaluate(({ x: right, y: down }) => {
    const canvas = document.querySelector<HTMLCanvasElement>('.openseadragon-canvas canvas')
    const context = canvas?.getContext('2d')
    if (!canvas || !context) return []
    const [middleX, middleY] = [canvas.width / 2 + right, canvas.height / 2 + down]
    return [...context.getImageData(middleX, middleY, 1, 1).data.slice(0, 3)]
  }, place)
}
/** Told in words, since no two compressions give quite the same. */
const nameOf = ([red = 0, green = 0, blue = 0]: number[]) => {
  if (Math.max(red, green, blue) - Math.min(red, green, blue) < 30) {
    if (red > 225) return 'white'
    return red < 30 ? 'black' : 'grey'
  }
  if (red > green && red > blue) return 'red'
  return green > blue ? 'green' : 'blue'
}
const squaresOf = async (drawn: Drawn) =>
  Promise.all(
    [
      [0.25, 0.25],
      [0.75, 0.25],
      [0.25, 0.75],
      [0.75, 0.75],
    ].map(async ([x = 0, y = 0]) => nameOf(await colourAt(drawn, x, y))),
  )
const valuesOf = (drawn: Drawn) => Object.fromEntries(drawn.facts.map(({ name, value }) => [name, value]))

const inColour = ['red', 'green', 'blue', 'white']

describe('pictures that Chromium decodes', () => {
  for (const extension of ['png', 'gif', 'webp', 'avif', 'bmp'])
    test(`${extension} is drawn as it is`, async () => {
      const drawn = await show(`squares.${extension}`)
      expect([drawn.kind, drawn.trouble, drawn.requests, drawn.notes]).toEqual(['picture', undefined, [], []])
      expect(await squaresOf(drawn)).toEqual(inColour)
      expect(valuesOf(drawn)['dimensions']).toBe('96 × 72')
      expect(drawn.tools).toEqual(['zoom', 'rotate', 'brightness', 'view', 'picture'])
      await drawn.close()
    })

  test('a photograph is turned upright, and what its camera wrote stands beside it', async () => {
    const drawn = await frames.show(inMemory('foto', bytesOf('squares.jpg')), { language: 'sv' })
    expect([drawn.kind, drawn.trouble, drawn.notes]).toEqual(['picture', undefined, []])
    const at = (x: number, y: number) => colourAt(drawn, x, y, 72, 96).then(nameOf)
    expect([await at(0.25, 0.25), await at(0.75, 0.25), await at(0.75, 0.75)]).toEqual([
      'blue',
      'red',
      'green',
    ])
    expect(valuesOf(drawn)).toEqual({
      dimensions: '72 × 96',
      bitDepth: '8',
      colour: 'RGB',
      resolution: '300 dpi',
      turned: 'vriden rätt, som filen anger',
      taken: '12 maj 2019 10:11',
      camera: 'Canon EOS 5D',
      maker: 'Astrid Åkesson',
      rights: 'Fri att visa',
    })
    await drawn.close()
  })

  test('what moves goes on moving', async () => {
    const drawn = await show('moving.gif')
    const moving = drawn.frame.locator('.picture-stage img')
    expect(await moving.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(96)
    await drawn.close()
  })

  test('a photograph of 200 megapixels is shown smaller, in less memory than ends a frame', async () => {
    const other = await buildFrames()
    const small = await other.show(inMemory('liten.jpg', bytesOf('squares.jpg')))
    const before = await other.mostMemory()
    await small.close()
    const drawn = await other.show(inMemory('stor.jpg', hugeJpeg(20_000, 10_000)))
    expect([drawn.trouble, valuesOf(drawn)['dimensions']]).toEqual([undefined, '20,000 × 10,000'])
    expect(drawn.notes).toEqual([expect.stringContaining('2 times smaller')])
    const at = (x: number, y: number) => colourAt(drawn, x, y, 20_000, 10_000)
    expect(await at(0.5, 0.25)).toEqual([228, 228, 228])
    expect(await at(0.5, 0.75)).toEqual([28, 28, 28])
    expect((await other.mostMemory()) - before).toBeLessThan(450)
    await other.close()
  })

  test.each([
    ['RGB', 2, 8],
    ['shades of grey', 0, 1],
    ['a palette', 3, 8],
    ['RGB with alpha, 16 bits', 6, 16],
  ] as const)('a PNG of 200 megapixels in %s is shown smaller', async (_title, colour, depth) => {
    const other = await buildFrames()
    const small = await other.show(inMemory('liten.png', bytesOf('squares.png')))
    const before = await other.mostMemory()
    await small.close()
    const drawn = await other.show(inMemory('stor.png', hugePng(20_000, 10_000, colour, depth)))
    expect([drawn.trouble, valuesOf(drawn)['dimensions']]).toEqual([undefined, '20,000 × 10,000'])
    expect(drawn.notes).toEqual([expect.stringContaining('4 times smaller')])
    const at = (x: number, y: number) => colourAt(drawn, x, y, 20_000, 10_000)
    expect(await at(0.5, 0.25)).toEqual([255, 255, 255])
    expect(await at(0.5, 0.75)).toEqual([0, 0, 0])
    expect((await other.mostMemory()) - before).toBeLessThan(450)
    await other.close()
  })

  test('a PNG of 200 megapixels that is interlaced is shown smaller', async () => {
    const other = await buildFrames()
    const drawn = await other.show(inMemory('stor.png', interlacedPng(20_000, 10_000)))
    expect([drawn.trouble, valuesOf(drawn)['dimensions']]).toEqual([undefined, '20,000 × 10,000'])
    expect(drawn.notes).toEqual([expect.stringContaining('4 times smaller')])
    for (const x of [0.1, 0.5, 0.9]) {
      expect(await colourAt(drawn, x, 0.25, 20_000, 10_000)).toEqual([255, 255, 255])
      expect(await colourAt(drawn, x, 0.75, 20_000, 10_000)).toEqual([0, 0, 0])
    }
    expect(await other.mostMemory()).toBeLessThan(512)
    await other.close()
  })

  test('a picture says what its colour profile calls itself', async () => {
    const name = Buffer.from('Hamnkontoret RGB\0')
    const profile = Buffer.alloc(144 + 12 + name.length + 80)
    profile.writeUInt32BE(profile.length, 0)
    profile.write('\x02\x10\0\0mntrRGB XYZ ', 8, 'latin1')
    profile.write('acsp', 36)
    profile.writeUInt32BE(1, 128)
    profile.write('desc', 132)
    profile.writeUInt32BE(144, 136)
    profile.writeUInt32BE(profile.length - 144, 140)
    profile.write('desc', 144)
    profile.writeUInt32BE(name.length, 152)
    profile.set(name, 156)
    const head = Buffer.from('\xff\xe2\0\0ICC_PROFILE\0\x01\x01', 'latin1')
    head.writeUInt16BE(head.length - 2 + profile.length, 2)
    const jpeg = Buffer.from(bytesOf('squares.jpg'))
    const drawn = await show('x.jpg', Buffer.concat([jpeg.subarray(0, 2), head, profile, jpeg.subarray(2)]))
    expect([drawn.trouble, valuesOf(drawn)['profile']]).toEqual([undefined, 'Hamnkontoret RGB'])
    expect(profileName(new Uint8Array(profile))).toBe('Hamnkontoret RGB')
    await drawn.close()
  })

  test('of one with more pixels than fit, and that cannot be decoded smaller, that is said', async () => {
    const gif = Buffer.from(bytesOf('squares.gif'))
    gif.writeUInt16LE(9_000, 6)
    gif.writeUInt16LE(9_000, 8)
    const drawn = await show('x.gif', gif)
    expect(drawn.trouble).toBe('too large')
    expect(drawn.notes).toEqual([
      expect.stringContaining('81 million pixels. Of GIF no more than 64 million'),
    ])
    await drawn.close()
  })

  test('one with more pixels than fit is not begun', async () => {
    const png = Buffer.from(bytesOf('squares.png'))
    png.writeUInt32BE(60_000, 16)
    png.writeUInt32BE(60_000, 20)
    const drawn = await show('x.png', png)
    expect(drawn.trouble).toMatch(/too large|broken/)
    await drawn.close()
  })
})

/** Places in predictor.tif, and what stands there then: found by mutants. */
const damagedCodes = [
  [276, 0o106],
  [317, 0o157],
  [892, 0o172],
] as const

describe('TIFF', () => {
  const compressions = ['lzw', 'zip', 'packbits', 'jpeg', 'predictor', 'one-strip', 'tiles', 'big-tiff']
  for (const name of [...compressions, 'planes', 'cmyk', 'palette', 'sixteen-bits', 'float'])
    test(`${name} is drawn in its colours`, async () => {
      const drawn = await show(`${name}.tif`)
      expect([drawn.kind, drawn.trouble, drawn.requests]).toEqual(['tiff', undefined, []])
      expect(await squaresOf(drawn)).toEqual(inColour)
      await drawn.close()
    })

  test('of 16 bits is drawn without the strip that cannot be read', async () => {
    const tiff = Buffer.from(bytesOf('sixteen-bits.tif'))
    const stripOffsets = 1372
    tiff.writeUInt32BE(0xffffffff, stripOffsets)
    const drawn = await show('skadad.tif', tiff)
    expect([drawn.kind, drawn.trouble]).toEqual(['tiff', undefined])
    expect(drawn.notes).toEqual(['Part of the picture cannot be read, and is left white.'])
    expect(await squaresOf(drawn)).toEqual(inColour)
    await drawn.close()
  })

  test('codes of LZW that lead to themselves come to an end', async () => {
    const tiff = Buffer.from(bytesOf('predictor.tif'))
    for (const [at, byte] of damagedCodes) tiff[at] = byte
    const other = await buildFrames()
    const drawn = await other.show(inMemory('skadad.tif', tiff))
    expect([drawn.kind, drawn.trouble]).toEqual(['tiff', undefined])
    expect(drawn.notes).toEqual(['Part of the picture cannot be read, and is left white.'])
    expect(await other.mostMemory()).toBeLessThan(512)
    await other.close()
  })

  test('the first way to have JPEG in it is not drawn, and that is said', async () => {
    const tiff = Buffer.from(bytesOf('jpeg.tif'))
    const tag = tiff.indexOf(Buffer.from([3, 1, 3, 0, 1, 0, 0, 0, 7, 0]))
    tiff.writeUInt16LE(6, tag + 8)
    const drawn = await show('gammal.tif', tiff)
    expect([drawn.kind, drawn.trouble]).toEqual(['tiff', 'broken'])
    expect(drawn.notes).toEqual([expect.stringContaining('which nothing here can read')])
    await drawn.close()
  })

  for (const name of ['g4', 'g4-lsb', 'g3', 'g3-2d'])
    test(`${name} is drawn in black and white`, async () => {
      const drawn = await show(`${name}.tif`)
      expect([drawn.kind, drawn.trouble, drawn.notes]).toEqual(['tiff', undefined, []])
      expect(await squaresOf(drawn)).toEqual(['black', 'black', 'black', 'white'])
      expect(valuesOf(drawn)['colour']).toBe('black and white')
      await drawn.close()
    })

  test('shades of four bits, and colours with fewer pixels than the brightness', async () => {
    const shades = await show('four-bits.tif')
    expect(await squaresOf(shades)).toEqual(['grey', 'grey', 'grey', 'white'])
    await shades.close()
    const colours = await show('subsampled.tif', subsampledTiff())
    expect([colours.trouble, nameOf(await colourAt(colours, 0.5, 0.5, 8, 4))]).toEqual([undefined, 'red'])
    await colours.close()
  })

  test('one can go to each page', async () => {
    const drawn = await show('pages.tif')
    expect(drawn.standing.page).toEqual({ number: 1, of: 3 })
    expect(drawn.tools).toContain('pages')
    expect(await squaresOf(drawn)).toEqual(['black', 'black', 'black', 'white'])
    await drawn.ask({ ask: 'act', act: 'page', number: 2 })
    await drawn.until(({ standing }) => standing.page?.number === 2)
    expect(await squaresOf(drawn)).toEqual(inColour)
    await drawn.close()
  })

  test('it is turned the way it asks for, and says what is known of it', async () => {
    const drawn = await show('turned.tif')
    expect(nameOf(await colourAt(drawn, 0.25, 0.75, 72, 96))).toBe('white')
    expect(nameOf(await colourAt(drawn, 0.75, 0.75, 72, 96))).toBe('black')
    expect(valuesOf(drawn)).toMatchObject({
      bitDepth: '1',
      compression: 'CCITT G4',
      camera: 'Zeutschel',
      taken: '12 May 2019, 10:11',
      turned: 'turned upright, as the file asks',
    })
    await drawn.close()
  })

  test('of two gigabytes, a few megabytes are read for the first view, and for a closer one', async () => {
    const source = hugeTiff([26_624, 13_312, 6_656, 3_328, 1_664, 832])
    expect(source.bytes).toBeGreaterThan(2 * 1024 ** 3)
    const drawn = await frames.show(source)
    expect([drawn.trouble, drawn.notes]).toEqual([undefined, []])
    expect(nameOf(await colourAt(drawn, 0.25, 0.5, 26_624, 26_624))).toBe('red')
    expect(nameOf(await colourAt(drawn, 0.75, 0.5, 26_624, 26_624))).toBe('blue')
    expect(drawn.read).toBeLessThan(8 * 1024 * 1024)
    await drawn.ask({ ask: 'act', act: 'view', view: { x: 0.25, y: 0.25, zoom: 1 } })
    await drawn.until(({ standing }) => standing.zoom === 100)
    await drawn.frame.waitForFunction(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.openseadragon-canvas canvas')
      return canvas?.getContext('2d')?.getImageData(450, 350, 1, 1).data[0] === 200
    })
    expect(drawn.read).toBeLessThan(24 * 1024 * 1024)
    await drawn.close()
  })

  test('one without smaller pictures in it grows as it is read', async () => {
    const drawn = await frames.show(hugeTiff([4_608]))
    expect(drawn.notes).toEqual([expect.stringContaining('read from beginning to end')])
    await drawn.frame.waitForFunction(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.openseadragon-canvas canvas')
      const context = canvas?.getContext('2d')
      if (!canvas || !context) return false
      const { data } = context.getImageData(canvas.width / 2 + 200, canvas.height - 60, 1, 1)
      return (data[2] ?? 0) > 150 && (data[0] ?? 255) < 80
    })
    await drawn.close()
  })
})

describe('JPEG 2000 and HEIC', () => {
  for (const name of ['squares.jp2', 'squares.j2k', 'tiles.jp2', 'squares.heic'])
    test(`${name} is drawn in its colours`, async () => {
      const drawn = await show(name)
      expect([drawn.trouble, drawn.requests, drawn.notes]).toEqual([undefined, [], []])
      expect(drawn.kind).toBe(name.endsWith('heic') ? 'heic' : 'jpeg2000')
      expect(await squaresOf(drawn)).toEqual(inColour)
      expect(valuesOf(drawn)['dimensions']).toBe('96 × 72')
      await drawn.close()
    })
})

const svg = `<?xml version="1.0"?><!-- <b>A note</b> --><svg xmlns="http://www.w3.org/2000/svg" width="96"
  height="72"><rect width="48" height="36" fill="#c82828"/><image href="http://elsewhere.invalid/x.png"/></svg>`

describe('drawings', () => {
  test('SVG is drawn as a picture, also under another name, and asks for nothing', async () => {
    const drawn = await show('plan.old', Buffer.from(svg))
    expect([drawn.kind, drawn.trouble, drawn.requests]).toEqual(['drawing', undefined, []])
    expect(await drawn.frame.locator('svg').count()).toBe(0)
    expect(valuesOf(drawn)).toEqual({ dimensions: '96 × 72' })
    expect(await squaresOf(drawn)).toEqual(['red', 'white', 'white', 'white'])
    await drawn.close()
  })

  test.each(['', 'width="100%" height="100%"'])('SVG of no size (%s) is drawn whole', async (size) => {
    const plan = `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 96 72">
      <rect x="48" y="36" width="48" height="36" fill="#c82828"/></svg>`
    const drawn = await show('plan.svg', Buffer.from(plan))
    expect(valuesOf(drawn)).toEqual({ dimensions: '96 × 72' })
    expect(await squaresOf(drawn)).toEqual(['white', 'white', 'white', 'red'])
    await drawn.close()
  })

  test('text that speaks of SVG stays text', async () => {
    const drawn = await show('x.txt', Buffer.from('The element <svg> is drawn.'))
    expect(drawn.kind).toBe('text')
    await drawn.close()
  })

  test('DXF is drawn with its blocks and letters, and says what is left out', async () => {
    const drawn = await show('plan.dxf', planDxf())
    expect([drawn.kind, drawn.trouble, drawn.requests]).toEqual(['dxf', undefined, []])
    expect(await drawn.text()).toBe('Pannrum\nTvätt\nKällarplan\nskala 1:100, Ø 200')
    expect(drawn.notes).toEqual([
      'One layer is switched off in the file, and not drawn.',
      'Not drawn: HATCH.',
    ])
    expect(valuesOf(drawn)).toEqual({ extent: '12,000 × 8,000 mm', layers: '4', version: 'AutoCAD 2000' })
    const at = (x: number, y: number) => colourAt(drawn, 0.03 + x * 0.94, 0.045 + y * 0.91, 2_000, 1_371)
    expect([nameOf(await at(0.79, 0.15)), nameOf(await at(0.9, 0.6))]).toEqual(['blue', 'white'])
    await drawn.close()
  })

  test('a block that puts in itself comes to an end', async () => {
    const bomb = Buffer.from(
      planDxf()
        .toString('latin1')
        .replace(/ARC\r\n/, 'INSERT\r\n2\r\nD\xd6RR\r\n'),
      'latin1',
    )
    const drawn = await show('bomb.dxf', bomb)
    expect([drawn.kind, drawn.trouble]).toEqual(['dxf', undefined])
    await drawn.close()
  })
})

describe('what is not whole', () => {
  const names = ['squares.png', 'squares.jpg', 'squares.gif', 'squares.webp', 'squares.avif', 'squares.bmp']
  const others = ['one-strip.tif', 'tiles.tif', 'tiles.jp2', 'squares.jp2', 'squares.heic']
  for (const name of [...names, ...others])
    test(`${name}, cut in half, ends in a sentence`, async () => {
      const whole = bytesOf(name)
      const drawn = await show(name, whole.subarray(0, whole.length / 2))
      expect([drawn.trouble, ...drawn.notes].filter(Boolean)).toHaveLength(1)
      expect(drawn.trouble ?? 'broken').toBe('broken')
      await drawn.close()
    })

  test('what there is of a photograph is drawn', async () => {
    const whole = bytesOf('squares.jpg')
    const drawn = await show('squares.jpg', whole.subarray(0, whole.length - 40))
    expect([drawn.trouble, drawn.notes]).toEqual([
      undefined,
      ['The file ends too early: the rest of the picture is missing.'],
    ])
    expect(nameOf(await colourAt(drawn, 0.75, 0.25, 72, 96))).toBe('red')
    await drawn.close()
  })

  for (const name of ['squares.png', 'lzw.tif', 'squares.jp2', 'squares.heic'])
    test(`${name} with nothing but its beginning is broken`, async () => {
      const noise = Buffer.concat([bytesOf(name).subarray(0, 16), Buffer.alloc(2000, 7)])
      const drawn = await show(name, noise)
      expect(drawn.trouble).toBe('broken')
      await drawn.close()
    })

  test('a drawing that is no XML, and one in DXF without anything in it', async () => {
    for (const [name, text] of [
      ['x.svg', '<svg><g></svg>'],
      ['x.dxf', '0\nSECTION\n2\nENTITIES\n0\nENDSEC\n0\nEOF\n'],
    ] as const) {
      const drawn = await show(name, Buffer.from(text))
      expect(drawn.trouble).toBe('broken')
      await drawn.close()
    }
  })
})

describe('how a picture is moved', () => {
  test('closer, away, all of it, as it is, and where the page wants', async () => {
    const drawn = await show('squares.png')
    expect(drawn.standing.zoom).toBe(100)
    await drawn.ask({ ask: 'act', act: 'zoom', to: 'fit' })
    await drawn.until(({ standing }) => (standing.zoom ?? 0) > 880)
    await drawn.ask({ ask: 'act', act: 'zoom', to: 'in' })
    await drawn.until(({ standing }) => (standing.zoom ?? 0) > 1_200)
    await drawn.ask({ ask: 'act', act: 'zoom', to: 'whole' })
    await drawn.until(({ standing }) => standing.zoom === 100)
    await drawn.ask({ ask: 'act', act: 'view', view: { x: 0.3, y: 0.4, zoom: 10 } })
    await drawn.until(({ standing }) => standing.zoom === 1_000)
    // What the page asked for is not told back.
    expect(drawn.standing.view?.zoom).toBeLessThan(1.1)
    await drawn.close()
  })

  test('stays whole where the window becomes lower, and fitted where it becomes higher', async () => {
    const drawn = await frames.show(inMemory('squares.png', bytesOf('squares.png')), {
      width: 900,
      height: 700,
    })
    const page = drawn.frame.page()
    await drawn.ask({ ask: 'act', act: 'zoom', to: 'fit' })
    await drawn.until(({ standing }) => (standing.zoom ?? 0) > 880)
    await page.setViewportSize({ width: 900, height: 300 })
    await expect.poll(() => drawn.standing.zoom, { timeout: 5_000 }).toBeLessThan(360)
    await page.setViewportSize({ width: 900, height: 700 })
    await expect.poll(() => drawn.standing.zoom, { timeout: 5_000 }).toBeGreaterThan(880)
    // Whoever looks at a part goes on looking at it.
    await drawn.ask({ ask: 'act', act: 'view', view: { x: 0.25, y: 0.25, zoom: 10 } })
    await drawn.until(({ standing }) => standing.zoom === 1_000)
    await page.setViewportSize({ width: 900, height: 500 })
    await expect.poll(() => drawn.frame.evaluate(() => innerHeight)).toBe(500)
    await drawn.ask({ ask: 'act', act: 'zoom', to: 'in' })
    await expect.poll(() => drawn.standing.zoom, { timeout: 5_000 }).toBeGreaterThan(1_000)
    await drawn.close()
  })

  test('brighter, and a quarter round', async () => {
    const drawn = await show('squares.png')
    await drawn.ask({ ask: 'act', act: 'brightness', percent: 150 })
    await drawn.ask({ ask: 'act', act: 'rotate' })
    const canvas = drawn.frame.locator('.openseadragon-canvas').first()
    expect(await canvas.evaluate((one) => getComputedStyle(one).filter)).toBe('brightness(1.5)')
    await drawn.frame.waitForFunction(() => {
      const one = document.querySelector<HTMLCanvasElement>('.openseadragon-canvas canvas')
      const data = one?.getContext('2d')?.getImageData(one.width / 2 + 15, one.height / 2 - 20, 1, 1).data
      return (data?.[0] ?? 0) > 150 && (data?.[1] ?? 255) < 80
    })
    await drawn.close()
  })

  test('keys move what is larger than the window, and are the page’s where all is seen', async () => {
    const drawn = await show('squares.png')
    const page = drawn.frame.page()
    const canvas = drawn.frame.getByRole('img', { name: 'squares.png' })
    await canvas.focus()
    const told = drawn.frame.page().evaluate(
      () =>
        new Promise<string>((heard) => {
          addEventListener('message', ({ data }: MessageEvent<{ told: string; key: string }>) => {
            if (data.told === 'key') heard(data.key)
          })
        }),
    )
    await page.keyboard.press('ArrowRight')
    expect(await told).toBe('ArrowRight')
    await drawn.ask({ ask: 'act', act: 'view', view: { x: 0.5, y: 0.5, zoom: 16 } })
    await drawn.until(({ standing }) => standing.zoom === 1_600)
    await page.keyboard.press('ArrowRight')
    await drawn.until(({ standing }) => (standing.view?.x ?? 0) > 0.52)
    await drawn.close()
  })

  test('a screen reader meets one picture with a name', async () => {
    const drawn = await show('squares.png')
    await drawn.frame.evaluate(axe.source)
    const found = await drawn.frame.evaluate(async () => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run()
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    })
    expect(found).toEqual([])
    await drawn.close()
  })
})

test('for paper the page that is looked at is given, as it is turned', async () => {
  const drawn = await show('pages.tif')
  const first = present(await drawn.small())
  await drawn.ask({ ask: 'act', act: 'page', number: 2 })
  await drawn.until(({ standing }) => standing.page?.number === 2)
  const second = present(await drawn.small())
  expect(second.pixels).not.toEqual(first.pixels)
  await drawn.ask({ ask: 'act', act: 'rotate' })
  const turnedOne = present(await drawn.small())
  expect([turnedOne.width, turnedOne.height]).toEqual([second.height, second.width])
  const colourIn = ({ width, height, pixels }: typeof second, x: number, y: number) => {
    const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 4
    return [...pixels.slice(at, at + 3)]
  }
  // What was above on the left is above on the right.
  expect(colourIn(turnedOne, 0.75, 0.25)).toEqual(colourIn(second, 0.25, 0.25))
  expect(colourIn(turnedOne, 0.25, 0.25)).toEqual(colourIn(second, 0.25, 0.75))
  await drawn.close()
  const pdf = await show('a.pdf', makePdf(['En sida.', 'En annan sida, som är längre.']))
  const upright = present(await pdf.small())
  await pdf.ask({ ask: 'act', act: 'page', number: 2 })
  await pdf.until(({ standing }) => standing.page?.number === 2)
  expect(present(await pdf.small()).pixels).not.toEqual(upright.pixels)
  await pdf.ask({ ask: 'act', act: 'rotate' })
  expect(present(await pdf.small()).width).toBe(240)
  await pdf.close()
})

test('a picture and the first page of a document are given small, and a text is not', async () => {
  for (const [name, kind] of [
    ['squares.jpg', 'picture'],
    ['tiles.tif', 'tiff'],
    ['squares.jp2', 'jpeg2000'],
  ] as const) {
    const drawn = await show(name)
    expect(drawn.kind).toBe(kind)
    const small = present(await drawn.small())
    expect(Math.max(small.width, small.height)).toBeLessThanOrEqual(240)
    expect(small.pixels).toHaveLength(small.width * small.height * 4)
    // Something of it is seen, on paper that is white all over.
    expect(new Set(small.pixels.filter((_, at) => at % 4 === 0)).size).toBeGreaterThan(1)
    expect(small.pixels.every((value, at) => at % 4 !== 3 || value === 255)).toBe(true)
    await drawn.close()
  }
  const pdf = await show('a.pdf', makePdf(['En sida.']))
  expect(present(await pdf.small()).height).toBe(240)
  await pdf.close()
  const text = await show('a.txt', Buffer.from('en text'))
  expect(await text.small()).toBe(null)
  await text.close()
})
