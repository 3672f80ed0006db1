import fc from 'fast-check'

/**
 * fast-check with one seed for a whole run: what is red once is red again, on every machine. `SEED=7 npm run
 * unit` tries other cases, and `RUNS=500` more of them where a test makes only a few.
 */
export const seed = Number(process.env['SEED'] ?? 1)
fc.configureGlobal({ seed })

/** @param few how many cases a test makes where nobody asks for more */
export const runs = (few: number): number => Number(process.env['RUNS'] ?? few)

export default fc
