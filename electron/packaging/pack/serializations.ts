import type { Container } from './containers.ts'
import type { Serialization } from './plan.ts'
import { tar } from './tar.ts'
import { zip } from './zip.ts'

/** How a serialization (RFC 8493 4) is written into one file; a folder is not. */
export const containerOf = (form: Serialization): Container | undefined =>
  ({ folder: undefined, tar, zip })[form]

/** What the file of a serialization ends with. */
export const suffixOf = (form: Serialization): string => (form === 'folder' ? '' : `.${form}`)
