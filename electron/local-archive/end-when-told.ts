/**
 * Ends this process once it is told to: by a signal, or by a message of the program that started it, since
 * Windows has no signals. Until there is something to end in order, it ends at once.
 * @returns takes how it ends in order
 */
export const endWhenTold = () => {
  let end: () => void = () => process.exit(0)
  const told = () => end()
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, told)
  // Only processes that Electron started have one.
  const port: Electron.ParentPort | undefined = process.parentPort
  port?.once('message', told)
  return (inOrder: () => void): void => {
    end = inOrder
  }
}
