import type { Draw } from '../kind.ts'
import { membersOfTar } from '../formats/tar.ts'
import { drawFolder } from '../parts/folder.ts'

/** The files of a tar. */
export const draw: Draw = (content, stage) => drawFolder(membersOfTar(content), stage)
