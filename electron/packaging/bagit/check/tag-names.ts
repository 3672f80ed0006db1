import { foldedCase } from '../../names.ts'
import type { Found } from '../../findings.ts'
import { manifestOf } from './lines.ts'

const most = { names: 10_000, characters: 1_000_000 }

/** Gathers names of tag files: those that a check reads, and all of them as long as they are few. */
export const tagNames = (found: Found) => {
  const kept: string[] = []
  let characters = 0
  const special = new Set<string>()
  const manifests = new Map<string, string>()
  const twins = new Map<string, string>()
  return {
    known: { special, manifests },
    add: (name: string) => {
      if (['bagit.txt', 'bag-info.txt', 'package-info.txt', 'fetch.txt'].includes(name)) special.add(name)
      if (/^(tag)?manifest-[^/]*\.txt$/i.test(name)) addManifest(manifests, name, found)
      characters += name.length
      if (kept.length >= most.names || characters > most.characters) return
      kept.push(name)
      const key = foldedCase(name)
      if (twins.has(key)) found('warning', 'twins', name, twins.get(key))
      twins.set(key, name)
    },
    /** Undefined where there are so many that they are looked up again instead. */
    all: () => (kept.length >= most.names || characters > most.characters ? undefined : kept),
  }
}

/**
 * One manifest for each algorithm; a second one is an error, and not read. The name as the specification
 * writes it comes first.
 */
const addManifest = (manifests: Map<string, string>, name: string, found: Found) => {
  const manifest = manifestOf(name, '1.0')
  if (!manifest) {
    found('warning', 'unknown-algorithm', name)
    return
  }
  const key = `${manifest.of} ${manifest.algorithm}`
  const other = manifests.get(key)
  if (other !== undefined) found('error', 'listed-twice', name)
  if (other === undefined || name === name.toLowerCase()) manifests.set(key, name)
}
