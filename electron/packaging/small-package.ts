import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** A file that goes into a package, with what is known of it already. */
export interface SmallFile {
  /** Its path in the package, with slashes. */
  name: string
  source: string
  bytes: number
  sha256: string
}

interface SmallPackage {
  folder: string
  files: readonly SmallFile[]
  /** What it says of itself: by whom it is, what it is called, by which identifier. */
  labels: readonly (readonly [label: string, value: string])[]
  modified: Date
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * Writes a package of few files whose digests are known, as a folder; under its name once it is whole
 * (RFC 8493). What lay under that name, or was begun, is replaced. Names have neither line ends nor "%".
 * @throws the error of the disk
 */
export const writeSmallPackage = async ({ folder, files, labels, modified }: SmallPackage) => {
  const partial = path.join(path.dirname(folder), `.${path.basename(folder)}`)
  await rm(partial, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
  for (const { name, source } of files) {
    const target = path.join(partial, 'data', name)
    await mkdir(path.dirname(target), { recursive: true })
    // Out of the app's own archive (asar) a file is read, and not copied.
    await writeFile(target, await readFile(source))
    await utimes(target, modified, modified)
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const said = [...labels, ['Payload-Oxum', `${bytes}.${files.length}`]]
  const tags = {
    'bagit.txt': 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
    'bag-info.txt': said.map(([label, value]) => `${label}: ${value}\n`).join(''),
    'manifest-sha256.txt': files.map((file) => `${file.sha256}  data/${file.name}\n`).join(''),
  }
  const digests = Object.entries(tags).map(([name, text]) => `${sha256(text)}  ${name}\n`)
  for (const [name, text] of Object.entries(tags)) await writeFile(path.join(partial, name), text)
  await writeFile(path.join(partial, 'tagmanifest-sha256.txt'), digests.join(''))
  await rename(partial, folder)
}
