import { untrack } from 'svelte'
import { isUnreached } from '../../electron/contract/failure.ts'
import type { Query } from './query.svelte.ts'
import { session } from './session.svelte.ts'

/** Whether the archive that is shown cannot be asked now. */
export const isOutOfReach = (): boolean => {
  const state = session.status?.connection.state
  return state === 'offline' || state === 'refused' || state === 'signed-out'
}

/** Runs something whenever the archive answers again that did not. Call it while a component is made. */
export const whenOnline = (run: () => void): void => {
  const isOnline = $derived(session.status?.connection.state === 'online')
  let wasOnline = true
  $effect(() => {
    if (isOnline && !wasOnline) untrack(run)
    wasOnline = isOnline
  })
}

/** Asks again what the archive alone can answer and could not be asked. Call it while a component is made. */
export const askWhenOnline = (query: () => Pick<Query<unknown>, 'failure' | 'refresh'>): void =>
  whenOnline(() => {
    const { failure, refresh } = query()
    if (failure && isUnreached(failure)) refresh()
  })
