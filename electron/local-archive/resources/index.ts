import { activity } from './activity.ts'
import { description } from './description.ts'
import { packages } from './packages.ts'
import type { Resource } from './resource.ts'
import { storage } from './storage.ts'
import { vocabularies } from './vocabularies.ts'

/** Every list of the interface by its path below /api/ (specification 4). */
export const resources: Record<string, Resource> = {
  ...storage,
  ...packages,
  ...activity,
  ...description,
  ...vocabularies,
}
