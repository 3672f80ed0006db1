/** Stops several things that were begun together, as an effect wants it: by one function. */
export const stopAll =
  (stops: readonly (() => void)[]): (() => void) =>
  () =>
    stops.forEach((stop) => stop())
