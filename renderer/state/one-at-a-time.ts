/**
 * Asks what may be wanted again before it is answered: once at a time, and once more for all that was wanted
 * meanwhile.
 * @param ask asks for what is wanted when it is called
 */
export const oneAtATime = <Answer>(ask: () => Promise<Answer>): (() => Promise<Answer>) => {
  let running: Promise<unknown> | undefined
  let next: Promise<Answer> | undefined
  const start = () => {
    next = undefined
    const answer = ask()
    const over = () => (running = undefined)
    running = answer.then(over, over)
    return answer
  }
  return () => {
    if (running) next ??= running.then(start)
    return next ?? start()
  }
}
