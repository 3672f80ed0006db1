/** Between two pauses this much is done at a time, so that the frame still answers. */
const longestMs = 40

/** Lets others go on where one has been busy for a while; a function for each long work. */
export const pauser = (): (() => Promise<void>) => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < longestMs) return
    await new Promise((go) => setTimeout(go))
    since = performance.now()
  }
}
/** Lets everything else have its turn: input, drawing, and the question whether the frame is alive. */
export const pause = () => new Promise<void>((done) => setTimeout(done))
