import type { ArchiveBridge, Bridge, Promised, Reply } from '../electron/contract/define.ts'
import { Failed } from '../electron/contract/failure.ts'
import type { ApplicationContract, ArchiveContract } from '../electron/contract/index.ts'

declare global {
  interface Window {
    readonly bridge: {
      readonly application: Bridge<ApplicationContract>
      readonly archive: ArchiveBridge<ArchiveContract>
    }
  }
}

type Call = (...given: unknown[]) => Promise<Reply<unknown>> | (() => void)
type Calls = Record<string, Record<string, Call>>
type Listener = (payload: unknown) => void

const isListener = (input: unknown): input is Listener => typeof input === 'function'

const valueOf = (reply: Reply<unknown>) => {
  if ('failure' in reply) throw new Failed(reply.failure)
  return reply.value
}

/**
 * A reactive value is a proxy, which cannot be cloned into another process; its snapshot can. A news takes a
 * listener instead.
 */
const calling = (call: Call) => (input?: unknown) => {
  const answer = call(isListener(input) ? input : $state.snapshot(input))
  return typeof answer === 'function' ? answer : answer.then(valueOf)
}

/** The same for one archive: it is named with every call, and only its news are heard. */
const callingOf = (archive: string) => (call: Call) => (input?: unknown) => {
  const answer = isListener(input)
    ? call((payload: unknown, of: unknown) => of === archive && input(payload))
    : call(archive, $state.snapshot(input))
  return typeof answer === 'function' ? answer : answer.then(valueOf)
}

const everyMember = (features: Calls, open: (call: Call) => (input?: unknown) => unknown) =>
  Object.fromEntries(
    Object.entries(features).map(([feature, members]) => [
      feature,
      Object.fromEntries(Object.entries(members).map(([name, call]) => [name, open(call)])),
    ]),
  )

// The only file that touches window.bridge. The shapes are those of window.bridge, member by member; only the
// replies are opened.
// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- see above
const { application, archive } = window.bridge as unknown as { application: Calls; archive: Calls }

/** Main, as the page sees it: calls give values or throw Failed, news give back how to stop listening. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- see above
export const bridge = everyMember(application, calling) as unknown as Promised<ApplicationContract>

/** What can be asked of one archive, whichever is shown. */
export type ArchiveDesk = Promised<ArchiveContract>

// A cache that is never drawn, so nothing has to react to it.
// eslint-disable-next-line svelte/prefer-svelte-reactivity
const desks = new Map<string, ArchiveDesk>()

/** The desk of an archive: every call of it, and every news, concerns that archive alone. */
export const deskOf = (id: string): ArchiveDesk => {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- see above
  const known = desks.get(id) ?? (everyMember(archive, callingOf(id)) as unknown as ArchiveDesk)
  desks.set(id, known)
  return known
}
