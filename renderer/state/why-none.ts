import { say } from '../language/say.svelte.ts'
import { isOutOfReach } from './online.svelte.ts'

/**
 * What a list says that has no rows. Before it was complete once nobody knows that there are none.
 * @param asOf when it was last complete; null while it comes for the first time
 * @param none what is said once that is known
 */
export const whyNone = (asOf: string | null, none: { what: string; teach: string }) =>
  asOf !== null ? none : { what: isOutOfReach() ? say.common.notReached : say.desk.firstFetch, teach: '' }
