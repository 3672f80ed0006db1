import type { Cache } from '../../../store/cache/cache.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'

/** Which generation a transfer became, or is to become, the first being 1; null where nobody can say yet. */
export const generationOf = (
  { form, package: became }: Pick<KeptTransfer, 'form' | 'package'>,
  { packages }: { packages: Pick<Cache['packages'], 'facts'> },
): number | null => {
  if (became !== null) return packages.facts(became)?.generation ?? null
  const former = form.generationOf ? packages.facts(form.generationOf.id)?.generation : null
  return former ? former + 1 : null
}
