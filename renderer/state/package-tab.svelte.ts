export type PackageTab = 'overview' | 'files' | 'copies' | 'description' | 'history' | 'fields'

/** Which tab was looked at last: whoever compares packages finds the same part of the next one. */
let chosen = $state<PackageTab>('overview')

export const packageTab = {
  /** The tab that is shown, where a package has the one that was chosen. */
  tabOf: (tabs: readonly { name: PackageTab }[]): PackageTab =>
    tabs.some(({ name }) => name === chosen) ? chosen : 'overview',
  choose: (name: PackageTab) => {
    chosen = name
  },
}
