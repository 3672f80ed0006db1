import type { PackagePage } from '../../electron/contract/packages.ts'
import { say } from '../language/say.svelte.ts'

/** Whether the archive classes what is in a package above what everybody may see. */
export const isClassed = ({ informationClass }: Pick<PackagePage, 'informationClass'>) =>
  informationClass !== null && informationClass > 0

/** Whether a package may be shown to readers, as far as the archive says it. */
export const restrictionOf = (page: Pick<PackagePage, 'informationClass'>) =>
  isClassed(page) ? say.package.classed(page.informationClass ?? 0) : say.package.noRestriction
