import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A valid bag of these files, written without any of our own code. */
export const writeBag = (bag: string, info: Record<string, string>, files: Record<string, Buffer>) => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.join(bag, path.dirname(name)), { recursive: true })
    writeFileSync(path.join(bag, name), content)
  }
  writeFileSync(path.join(bag, 'bagit.txt'), 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n')
  const lines = Object.entries(info).map(([label, value]) => `${label}: ${value}\n`)
  writeFileSync(path.join(bag, 'bag-info.txt'), lines.join(''))
  const sums = Object.entries(files).map(
    ([name, content]) => `${createHash('sha256').update(content).digest('hex')}  ${name}\n`,
  )
  writeFileSync(path.join(bag, 'manifest-sha256.txt'), sums.join(''))
  return bag
}

/** A small bag with a few files of no particular contents. */
export const makeBag = (bag: string, info: Record<string, string>, bytes = 1000) =>
  writeBag(bag, info, {
    'data/å ä ö.txt': Buffer.from('räksmörgås'),
    'data/tom.dat': Buffer.alloc(0),
    'data/mapp/stor.bin': Buffer.alloc(bytes, 3),
  })

/** Everything below a folder as a zip, as a person's own tool would make it. */
export const zipFolder = async (folder: string, target: string) => {
  const zip = new ZipFile()
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) {
      const file = path.join(entry.parentPath, entry.name)
      zip.addFile(file, path.relative(folder, file))
    }
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(target))
}
