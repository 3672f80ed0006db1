import type { Archive } from '../archives/archive.ts'
import { needed } from '../dialects/dialect.ts'
import type { Fulfils } from '../contract/define.ts'
import { nameIn } from '../contract/file-paths.ts'
import type { files as promised } from '../contract/files.ts'
import type { Downloads } from '../jobs/kinds/download/downloads.ts'
import type { FileRoles } from '../reader/file-roles.ts'
import { asFileName } from '../packaging/disk.ts'

interface Parts {
  downloads: Downloads
  roles: FileRoles
  chooseTarget: (what: 'file', name: string) => Promise<string | undefined>
}

/** Looking into packages: their files are asked for when somebody looks, and never kept. */
export const files = ({ downloads, roles, chooseTarget }: Parts): Fulfils<typeof promised, [Archive]> => ({
  list: (archive, { package: id, path }) => needed(archive.dialect().files).list(archive.client(), id, path),
  roles: (archive, file) => roles.inFolder({ archive: archive.id, client: archive.client(), ...file }),
  download: async (archive, { package: id, path }) => {
    const target = await chooseTarget('file', asFileName(nameIn(path)))
    return target === undefined ? null : downloads.begin(archive.id, { package: id, path, target })
  },
  downloads: (archive, { package: id }) => downloads.list(archive.id, id),
  unfinished: (archive) => downloads.unfinished(archive.id),
  resume: (_archive, { id }) => downloads.resume(id),
  stop: (_archive, { id }) => void downloads.stop(id),
  forget: (_archive, { id }) => downloads.forget(id),
})
