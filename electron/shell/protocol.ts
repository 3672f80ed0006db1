import { protocol } from 'electron'
import { answerFrom, isFrame, type PageFolders } from './page-files.ts'

/** Below it are the files of packages that are open. */
const content = 'app://content/'

/** Must be called before the app is ready. */
export const registerScheme = () =>
  protocol.registerSchemesAsPrivileged([
    {
      scheme: 'app',
      privileges: {
        standard: true,
        secure: true,
        supportFetchAPI: true,
        corsEnabled: true,
        stream: true,
        // What a page of ours compiled once is compiled for the next start.
        codeCache: true,
      },
    },
  ])

/**
 * Serves the built page and the viewer's frame under app://, and the open files of packages to that frame.
 * Neither has network: see their policies.
 * @param frameAsked hears of every frame that is about to be loaded
 */
export const servePage = (
  folders: PageFolders,
  answerContent: (request: Request) => Promise<Response>,
  frameAsked: () => void,
) =>
  protocol.handle('app', (request) => {
    if (isFrame(request.url)) frameAsked()
    return request.url.startsWith(content) ? answerContent(request) : answerFrom(folders, request.url)
  })
