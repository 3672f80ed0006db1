import type { Account } from '../../electron/contract/session.ts'
import { say } from '../language/say.svelte.ts'

/** The archive as a person calls it: the two on this computer have names in the reader's language. */
export const archiveName = ({ archive, name, isHere }: Pick<Account, 'archive' | 'name' | 'isHere'>) =>
  isHere ? (archive === 'practice' ? say.archive.practice : say.archive.onThisComputer) : name
