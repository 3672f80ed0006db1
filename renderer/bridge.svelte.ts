import type { Bridge, Promised, Reply } from '../electron/contract/define.ts'
import { Failed } from '../electron/contract/failure.ts'
import type { Desk } from '../electron/contract/index.ts'

declare global {
  interface Window {
    readonly bridge: Bridge<Desk>
  }
}

type Member = (input?: unknown) => Promise<Reply<unknown>> | (() => void)

/** A reactive value is a proxy, which cannot be cloned into another process; its snapshot can. A news takes a listener instead. */
const calling = (member: Member) => (input?: unknown) => {
  const answer = member(typeof input === 'function' ? input : $state.snapshot(input))
  if (typeof answer === 'function') return answer
  return answer.then((reply) => {
    if ('failure' in reply) throw new Failed(reply.failure)
    return reply.value
  })
}

const everyMember = (features: Record<string, Record<string, Member>>) =>
  Object.fromEntries(
    Object.entries(features).map(([feature, members]) => [
      feature,
      Object.fromEntries(Object.entries(members).map(([name, member]) => [name, calling(member)])),
    ]),
  )

/** Main, as the page sees it: calls give values or throw Failed, news give back how to stop listening. The only file that touches window.bridge. */
// The shape is that of window.bridge, member by member; only the replies are opened.
export const bridge = everyMember(
  window.bridge as unknown as Record<string, Record<string, Member>>,
) as unknown as Promised<Desk>
