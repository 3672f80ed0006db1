import type { Fulfils } from '../contract/define.ts'
import type { NewerVersion, updates as promised } from '../contract/updates.ts'

export const updates = (parts: { newer: () => NewerVersion | null }): Fulfils<typeof promised> => ({
  newer: parts.newer,
})
