import { contentOf, type Content } from '../content.ts'
import type { Draw } from '../kind.ts'
import { inflateBeginning } from '../formats/gzip.ts'
import { type Member } from '../formats/member.ts'
import { isTarHeader, membersOfTar } from '../formats/tar.ts'
import { drawFolder } from '../parts/folder.ts'

/** All of it is kept, and it cannot be told before how much that is. */
const mostBytes = 64 * 1024 * 1024

const innerName = (name: string) => {
  if (/\.tgz$/i.test(name)) return name.replace(/\.tgz$/i, '.tar')
  return name.replace(/\.gz$/i, '') || name
}

/** The one file that is compressed, as the only member of a folder. */
// eslint-disable-next-line @typescript-eslint/require-await -- folders are read by and by
async function* theOne(inner: Content): AsyncGenerator<Member> {
  yield {
    path: inner.name,
    bytes: inner.bytes,
    modified: undefined,
    isFolder: false,
    open: () => Promise.resolve(inner),
  }
}

/** What is compressed with gzip: one file, or the files of a tar. */
export const draw: Draw = async (content, stage) => {
  const { bytes, isCut, isBroken } = await inflateBeginning(content, mostBytes, stage.signal)
  if (isCut) stage.note(stage.say.folder.inflatedBeginning)
  if (isBroken) stage.note(stage.say.outline.broken)
  const inner = contentOf(innerName(content.name), bytes)
  return drawFolder(isTarHeader(bytes.subarray(0, 512)) ? membersOfTar(inner) : theOne(inner), stage)
}
