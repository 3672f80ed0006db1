import { endingOf, iconOfEnding } from '../../../electron/contract/file-endings.ts'
import type { IconName } from '../../parts/icons.ts'

/** The icon of a file by its name; nothing is decided by it. */
export const iconOfFile = (name: string): IconName => iconOfEnding(endingOf(name))
