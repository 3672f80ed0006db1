import type { PackagePage } from '../../../electron/contract/packages.ts'
import type { ArchiveDesk } from '../../bridge.svelte.ts'
import { isClassed } from '../../state/information-class.ts'
import { Query } from '../../state/query.svelte.ts'

/**
 * Whether files may be drawn of the package that is read, and of the one beside it: what the archive classes
 * only once somebody said that it may be shown; asked again where it is opened anew.
 */
export const openMayDraw = (
  desk: ArchiveDesk,
  read: { id: string; query: Query<PackagePage> },
  besideOf: () => string,
) => {
  let isAllowed = $state(false)
  const beside = $derived.by(() => {
    const id = besideOf()
    return id === '' || id === read.id ? read.query : new Query(() => desk.packages.one({ id }))
  })
  const isHeldBack = ({ value }: Query<PackagePage>) => value !== undefined && isClassed(value) && !isAllowed
  const isWithheld = $derived(isHeldBack(read.query))
  // A package that is told anew is drawn on: only another answer may end a drawing.
  const now = $derived(read.query.isAnswered && !isWithheld)
  const besideNow = $derived(now && beside.isAnswered && !isHeldBack(beside))
  return {
    get isWithheld() {
      return isWithheld
    },
    /** Nothing is drawn before it is known whether it may be seen, unless nobody can say. */
    get now() {
      return now
    },
    get beside() {
      return besideNow
    },
    allow: () => (isAllowed = true),
  }
}
