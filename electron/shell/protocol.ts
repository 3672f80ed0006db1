import { protocol } from 'electron'
import { answerFrom } from './page-files.ts'

/** Must be called before the app is ready. */
export const registerScheme = () =>
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }])

/** Serves the built page in a folder under app://. The page has no network: see its policy. */
export const servePage = (folder: string) => protocol.handle('app', ({ url }) => answerFrom(folder, url))
