import type { Archive } from '../archives/archive.ts'
import { needed } from '../dialects/dialect.ts'
import type { Fulfils } from '../contract/define.ts'
import type { reader as promised } from '../contract/reader.ts'
import type { OpenedFiles } from '../reader/opened-files.ts'

interface Parts {
  opened: Pick<OpenedFiles, 'open' | 'close'>
}

/** Files of packages, opened for the viewer. */
export const reader = ({ opened }: Parts): Fulfils<typeof promised, [Archive]> => ({
  open: (archive, { package: id, path }) =>
    opened.open({
      archive: archive.id,
      client: archive.client,
      path: needed(archive.dialect().files).pathOf(id, path),
    }),
  close: (_archive, { key }) => opened.close(key),
})
