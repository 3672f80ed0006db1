import type { About, about as promised, Licence } from '../contract/about.ts'
import type { Fulfils } from '../contract/define.ts'

interface Parts {
  versions: Pick<About, 'version' | 'electron' | 'chromium' | 'node'>
  /** The licence of the program itself. */
  licence: () => Promise<string>
  /** What each part of the build says that went into it. */
  bundled: () => Promise<Licence[][]>
}

export const about = ({ versions, licence, bundled }: Parts): Fulfils<typeof promised> => ({
  read: async () => {
    const all = (await bundled()).flat()
    const isFirst = ({ name, version }: Licence, index: number) =>
      all.findIndex((other) => other.name === name && other.version === version) === index
    return {
      ...versions,
      licence: await licence(),
      licences: all.filter(isFirst).toSorted((a, b) => a.name.localeCompare(b.name)),
    }
  },
})
