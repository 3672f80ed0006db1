import { app, session, shell } from 'electron'
import { background, toProcess } from '../common/background.ts'
import { isFrame, isPage } from './page-files.ts'

/**
 * The page stays where it is: no permissions, no other pages in the window, no windows of its own. Web links
 * open in the browser.
 */
export const guardWindows = () => {
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, decide) => decide(false))
  session.defaultSession.setPermissionCheckHandler(() => false)
  app.on('web-contents-created', (_event, contents) => {
    const stay = (event: { preventDefault: () => void; url: string; isMainFrame: boolean }) => {
      // A frame draws content of packages, and stays where it is too.
      const mayGo = event.isMainFrame ? isPage(event.url) : isFrame(event.url)
      if (!mayGo) event.preventDefault()
    }
    contents.on('will-frame-navigate', stay)
    contents.on('will-redirect', stay)
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(({ url }) => {
      if (url.startsWith('https://')) background(shell.openExternal(url), toProcess)
      return { action: 'deny' }
    })
  })
}
