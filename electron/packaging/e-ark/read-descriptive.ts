import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { Failed } from '../../contract/failure.ts'
import { onDisk } from '../disk.ts'
import type { DescriptiveFile } from '../format.ts'
import { metadataTypeOf } from './dublin-core.ts'

/** It is held in memory by the thread that packs. */
const mostBytes = 32 * 1024 * 1024

/**
 * Reads a file that describes a package: XML in UTF-8, 32 MiB at most.
 * @throws Failed bad-descriptive, or disk where it cannot be read
 */
export const readDescriptive = (file: string): Promise<DescriptiveFile> =>
  onDisk(file, async () => {
    const bad = (detail: 'no-xml' | 'too-large') =>
      new Failed({ kind: 'bad-descriptive', path: file, detail })
    if ((await stat(file)).size > mostBytes) throw bad('too-large')
    const bytes = await readFile(file)
    const text = isUtf8(bytes) ? bytes.toString('utf8') : ''
    if (metadataTypeOf(text) === undefined) throw bad('no-xml')
    return { name: path.basename(file), text }
  })
