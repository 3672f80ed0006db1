import type { Container } from './containers.ts'
import type { Form } from './plan.ts'
import { tar } from './tar.ts'
import { zip } from './zip.ts'

/** How a form is written into one file; a folder is not. */
export const containerOf = (form: Form): Container | undefined => ({ folder: undefined, tar, zip })[form]

/** What the file of a form ends with. */
export const endingOf = (form: Form): string => (form === 'folder' ? '' : `.${form}`)
