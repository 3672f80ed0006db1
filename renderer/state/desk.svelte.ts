import { deskOf } from '../bridge.svelte.ts'
import { session } from './session.svelte.ts'

/**
 * The desk of the archive that is shown now. A page takes it once, when it is made: it goes on with its
 * archive, whatever is shown later. What stands beside the pages derives it.
 */
export const shownDesk = () => deskOf(session.status?.account?.archive ?? '')
