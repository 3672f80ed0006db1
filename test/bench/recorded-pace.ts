/** How slow the recorded ESSArch was, in milliseconds: what one request costs before its rows. */
export const requestMs = 12
/** What a row costs, as recorded: 1 010 packages 25 s, 2 012 copies 21 s, 200 families of two 22 s. */
export const rowMs = { families: 110, packages: 25, copies: 10.4, others: 3 }
/** It has two cores. */
export const cores = 2

/** Lets so much work go on at the same time as it has cores. @returns gives, in its turn, how work ends */
export const openTurns = () => {
  const waiting: (() => void)[] = []
  let busy = 0
  return async (): Promise<() => void> => {
    if (busy >= cores) await new Promise<void>((go) => waiting.push(go))
    busy += 1
    return () => {
      busy -= 1
      waiting.shift()?.()
    }
  }
}
