import type { PackageSort, WhichPackages } from '../../../electron/contract/packages.ts'

type Which = Omit<WhichPackages, 'offset' | 'limit'>

/** How the list of packages is shown: kept while the window lives, so that coming back finds it as it was. */
class PackageList {
  view = $state<Which['view']>('tree')
  sort = $state<PackageSort>('changed')
  descending = $state(true)
  filter = $state('')
  open = $state.raw<string[]>([])

  which = (): Which => ({ view: this.view, sort: this.sort, descending: this.descending, filter: this.filter, open: this.open })
  change = (some: Partial<Which>) => void Object.assign(this, some)
}

export const packageList = new PackageList()
