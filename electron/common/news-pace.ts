/** A person sees no more steps than one in so many milliseconds. */
const betweenNewsMs = 200

/** Paces the news of one piece of work, which may step far more often than anybody could see. */
export const openNewsPace = () => {
  let toldAt = -Infinity
  return {
    /** Whether enough time has passed since a step was told last; so it has before the first one. */
    isDue: (): boolean => performance.now() - toldAt >= betweenNewsMs,
    /** Notes that a step is told now. */
    told: (): void => void (toldAt = performance.now()),
  }
}
