import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { FileFormat } from '../contract/reader.ts'
import { asFileName } from '../packaging/disk.ts'
import { identify, ToolFailed, toolsHere, type Tool } from '../packaging/identification/identify.ts'
import { certainFormatOf } from './certain-formats.ts'

/** Larger files are not copied for a tool: their beginning is looked at alone. */
const mostIdentifiedBytes = 64 * 1024 * 1024
/** So much of a file the library looks at, which is always there. */
const beginningBytes = 64 * 1024

interface Asked {
  name: string
  bytes: number
  /** The bytes from the beginning on, up to so many. */
  read: (most: number) => AsyncIterable<Buffer>
  /** Makes a folder for a copy that is removed again. */
  makeFolder: () => Promise<string>
}

/** The tools that can say what a file of this length is, the best first. */
export const toolsFor = (bytes: number): Tool[] =>
  toolsHere().filter((tool) => tool === 'built-in' || bytes <= mostIdentifiedBytes)

/** Writes a copy of the beginning of a file, and gives its first bytes. */
const copy = async (file: string, parts: AsyncIterable<Buffer>): Promise<Buffer> => {
  const target = await open(file, 'wx', 0o600)
  let first: Buffer = Buffer.alloc(0)
  try {
    for await (const part of parts) {
      if (first.length === 0) first = part
      await target.writeFile(part)
    }
  } finally {
    await target.close()
  }
  return first
}

/**
 * Says what a file is: the best tool of this computer on a copy of it, else the next one. One that fails is
 * named with the answer.
 * @throws Failed what the archive says where the file cannot be read; the error of the disk
 */
export const identifyFile = async ({ name, bytes, read, makeFolder }: Asked): Promise<FileFormat> => {
  const folder = await makeFolder()
  try {
    const tools = toolsFor(bytes)
    const file = path.join(folder, asFileName(name))
    const first = await copy(file, read(tools.length > 1 ? bytes : Math.min(bytes, beginningBytes)))
    const failed: Tool[] = []
    for (const tool of tools)
      try {
        const names = path.join(folder, '.names')
        for await (const { puid, name: format, mime } of identify(tool, () => [{ file, bytes }], names)) {
          const certain = puid === '' ? certainFormatOf(first) : undefined
          return { puid: certain?.puid ?? puid, name: certain?.name ?? format, mime, tool, failed }
        }
      } catch (error) {
        if (!(error instanceof ToolFailed)) throw error
        failed.push(tool)
      }
    return { puid: '', name: '', mime: '', tool: 'built-in', failed }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
