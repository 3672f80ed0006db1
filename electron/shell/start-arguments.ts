import type { EventEmitter } from 'node:events'
import { linkIn } from './links.ts'

/**
 * Follows what the program is started with until there is something that it can be shown in. On macOS a link
 * comes as an event, which may be before the program is ready; elsewhere with a second start, which ends at
 * once.
 * @param app hears 'open-url' and 'second-instance' as Electron gives them
 * @param commandLine that of this start
 * @param startsHidden whether a start is to have no window
 * @returns the command line that is to be followed by now: the last of the most urgent ones
 */
export const followStart = (
  app: Pick<EventEmitter, 'on'>,
  commandLine: string[],
  startsHidden: (argv: string[]) => boolean,
): (() => string[]) => {
  /** A link is wanted more than a window, and a window more than a start without one. */
  const urgencyOf = (argv: string[]): number => {
    if (linkIn(argv) !== undefined) return 2
    return startsHidden(argv) ? 0 : 1
  }
  let followed = commandLine
  const take = (argv: string[]) => {
    if (urgencyOf(argv) >= urgencyOf(followed)) followed = argv
  }
  app.on('open-url', (event: { preventDefault: () => void }, url: string) => {
    event.preventDefault()
    take([url])
  })
  app.on('second-instance', (_event: unknown, argv: string[]) => take(argv))
  return () => followed
}
