import type { View } from '../../viewer/messages.ts'
import type { Viewing } from './viewing.svelte.ts'

/** Shares of a drawing that nobody sees: less than a pixel of ten million rows. */
const unseen = 1e-9
/** The same of a zoom. */
const unseenZoom = 0.0002

const isSame = (one: View, other: View) =>
  Math.abs(one.x - other.x) < unseen &&
  Math.abs(one.y - other.y) < unseen &&
  Math.abs(one.zoom / other.zoom - 1) < unseenZoom

/**
 * Keeps two drawings at the same part of what they show. A drawing that was moved tells how it stands then:
 * that moves nothing back.
 */
export const openBoundViews = () => {
  const moved = new WeakMap<Viewing, View>()
  return {
    /** One of two drawings stands so now. */
    follow: (one: Viewing, view: View, other: Viewing) => {
      const before = moved.get(one)
      if (before && isSame(before, view)) return
      moved.set(one, view)
      moved.set(other, view)
      other.act({ ask: 'act', act: 'view', view })
    },
  }
}
