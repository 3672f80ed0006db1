/** Lets everything else have its turn: input, drawing, and the question whether the frame is alive. */
export const pause = () => new Promise<void>((done) => setTimeout(done))
