import { ListView } from './views.svelte.ts'

const mostKept = 8
const listOf = () => new ListView('asked', { searches: [] as string[] })

/** The searches that were asked of this archive at this desk, by their addresses; the last of them first. */
export const askedBefore = (): string[] => listOf().value.searches

/** Notes that a search was asked. */
export const noteAsked = (address: string): void => {
  const list = listOf()
  const others = list.value.searches.filter((other) => other !== address)
  list.change({ searches: [address, ...others].slice(0, mostKept) })
}

export const forgetAsked = (): void => listOf().change({ searches: [] })
