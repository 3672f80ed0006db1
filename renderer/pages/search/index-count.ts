/** Many archives count no further. */
const countedTo = 10_000

/** Whether what an archive's own index counts is all there is. */
export const isCounted = (total: number | null) => (total ?? 0) < countedTo
