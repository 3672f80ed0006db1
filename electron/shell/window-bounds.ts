import * as v from 'valibot'

/** In device-independent pixels, as Electron has them. */
export interface Area {
  x: number
  y: number
  width: number
  height: number
}

export const minimalSize = { width: 640, height: 480 }
const usualSize = { width: 1440, height: 900 }

/** Chromium opens no window at an address of more than two million characters (url::kMaxURLChars). */
const longestPlace = 1_000_000

/** How and where a window was left: its place as the page writes it after '#/', empty for the beginning. */
export const WindowState = v.object({
  x: v.number(),
  y: v.number(),
  width: v.pipe(v.number(), v.minValue(minimalSize.width)),
  height: v.pipe(v.number(), v.minValue(minimalSize.height)),
  isMaximized: v.optional(v.boolean(), false),
  place: v.optional(v.fallback(v.pipe(v.string(), v.maxLength(longestPlace)), ''), ''),
})

/** As much of a title bar as one needs to move a window by it. */
const grip = { width: 100, height: 24 }
/** A maximised window may reach this far over the edge. */
const tolerance = 8

const canBeGripped = (bounds: Area, { x, y, width, height }: Area) => {
  const visible = Math.min(bounds.x + bounds.width, x + width) - Math.max(bounds.x, x)
  return visible >= grip.width && bounds.y >= y - tolerance && bounds.y + grip.height <= y + height
}

/**
 * What to ask for so that a window opens where it was left. Where its title bar would lie on no screen, since
 * one was taken away or is smaller now, it opens in the middle of the first.
 * @param workAreas of all screens, the primary one first
 */
export const boundsToOpen = (left: Area | undefined, workAreas: Area[]): Omit<Area, 'x' | 'y'> | Area => {
  if (left && workAreas.some((area) => canBeGripped(left, area)))
    return { x: left.x, y: left.y, width: left.width, height: left.height }
  const { width, height } = left ?? usualSize
  const [primary = usualSize] = workAreas
  return {
    width: Math.max(minimalSize.width, Math.min(width, primary.width)),
    height: Math.max(minimalSize.height, Math.min(height, primary.height)),
  }
}

/**
 * What to ask for next time so that a window opens where it is now. Some window managers take a place for
 * that of the frame and tell that of its contents; the difference would move the window at each start.
 * @param placed where the window was told to be once it had been opened with `asked`
 */
export const boundsToKeep = (now: Area, asked: Partial<Area>, placed: Area): Area => ({
  x: now.x + (asked.x ?? placed.x) - placed.x,
  y: now.y + (asked.y ?? placed.y) - placed.y,
  width: now.width + (asked.width ?? placed.width) - placed.width,
  height: now.height + (asked.height ?? placed.height) - placed.height,
})
