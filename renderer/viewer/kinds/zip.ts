import type { Draw } from '../kind.ts'
import type { Member } from '../formats/member.ts'
import { membersOfZip } from '../formats/zip.ts'
import { drawFolder } from '../parts/folder.ts'

const mostMembers = 100_001

/** Files of a folder stand before its folders, each by name. */
const inOrder = (a: Member, b: Member) => {
  const [left, right] = [a.path.split('/'), b.path.split('/')]
  for (const [depth, part] of left.entries()) {
    const other = right[depth]
    if (other === undefined) return 1
    const isFile = [left, right].map((parts) => Number(depth === parts.length - 1))
    if (part !== other) return (isFile[1] ?? 0) - (isFile[0] ?? 0) || (part < other ? -1 : 1)
  }
  return -1
}

/** A directory in the order of its paths, since a zip may list its files in any. */
async function* sorted(members: AsyncIterable<Member>) {
  const all: Member[] = []
  for await (const member of members) {
    all.push(member)
    if (all.length >= mostMembers) break
  }
  yield* all.sort(inOrder)
}

/** The files of a zip. */
export const draw: Draw = (content, stage) => drawFolder(sorted(membersOfZip(content)), stage)
