import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { icnsOf, icnsTypes, icoOf, sizeOfPng } from '../setup/icon-files.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const bytes = (name: string) => readFileSync(path.join(root, 'resources', name))
const square = (size: number) => ({ width: size, height: size })

/** The pictures in an .ico, as the file says where they are and how large. */
const inIco = (ico: Buffer) =>
  Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const entry = 6 + 16 * index
    const at = ico.readUInt32LE(entry + 12)
    return {
      said: ico.readUInt8(entry) || 256,
      png: ico.subarray(at, at + ico.readUInt32LE(entry + 8)),
    }
  })

/** The pictures in an .icns by their types. */
const inIcns = (icns: Buffer) => {
  const found = new Map<string, Buffer>()
  for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4))
    found.set(icns.toString('latin1', at, at + 4), icns.subarray(at + 8, at + icns.readUInt32BE(at + 4)))
  return found
}

test('the icons of Linux have the sizes that they are called by', () => {
  const sizes = [16, 24, 32, 48, 64, 128, 256, 512]
  const names = readdirSync(path.join(root, 'resources/icons'))
  expect(names.sort()).toEqual(sizes.map((size) => `${size}x${size}.png`).sort())
  for (const size of sizes) expect(sizeOfPng(bytes(`icons/${size}x${size}.png`))).toEqual(square(size))
  expect(sizeOfPng(bytes('icon.png'))).toEqual(square(512))
  expect(sizeOfPng(bytes('tray.png'))).toEqual(square(32))
})

test('the icon of Windows holds every size from 16 to 256, each as it says', () => {
  const ico = bytes('icon.ico')
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2)]).toEqual([0, 1])
  const pictures = inIco(ico)
  expect(pictures.map(({ said }) => said)).toEqual([16, 24, 32, 48, 64, 128, 256])
  for (const { said, png } of pictures) {
    expect(sizeOfPng(png)).toEqual(square(said))
    expect(png).toEqual(bytes(`icons/${said}x${said}.png`))
  }
})

test('the icon of macOS holds every size for both kinds of displays', () => {
  const icns = bytes('icon.icns')
  expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).toEqual(['icns', icns.length])
  const pictures = inIcns(icns)
  expect([...pictures.keys()]).toEqual(icnsTypes.map(([type]) => type))
  for (const [type, size] of icnsTypes)
    expect(sizeOfPng(pictures.get(type) ?? Buffer.alloc(32)), type).toEqual(square(size))
})

test('what is no picture becomes no icon', () => {
  expect(() => icoOf([Buffer.alloc(40)])).toThrow('no PNG')
  expect(icnsOf(() => Buffer.from('x')).readUInt32BE(4)).toBe(8 + 9 * icnsTypes.length)
})

test('the installers name icons that are there', () => {
  const settings = readFileSync(path.join(root, 'electron-builder.yml'), 'utf8')
  const icons = [...settings.matchAll(/^ {2}icon: (.+)$/gm)].map(([, icon = '']) => icon)
  expect(icons).toEqual(['resources/icons', 'resources/icon.ico', 'resources/icon.icns'])
  for (const icon of icons) expect(existsSync(path.join(root, icon)), icon).toBe(true)
})
