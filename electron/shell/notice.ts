import { Notification } from 'electron'
import { withVisibleMarks } from '../language/bidi.ts'
import { hasNoticeService, noticeService } from './notice-service.ts'

// A notice that nobody refers to is collected, and its click with it.
const shown = new Set<Notification>()
/**
 * A system that says nothing has taken the notice: it keeps it in its own list, for instance while it does
 * not disturb.
 */
const silenceMs = 5_000

const escaped = (text: string) => text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * On Windows a notice outlives the program: what it carries as a link opens the desk again when it does not
 * run any more.
 */
const forWindows = (title: string, body: string, link: string) =>
  process.platform === 'win32' && link !== ''
    ? {
        toastXml: [
          `<toast activationType="protocol" launch="${escaped(link)}">`,
          `<visual><binding template="ToastGeneric"><text>${escaped(title)}</text>`,
          `<text>${escaped(body)}</text></binding></visual></toast>`,
        ].join(''),
      }
    : {}

interface ShownNotice {
  title: string
  body: string
  /** What it leads to, for systems that open the program anew. */
  link: string
}

/** Shows a notice where there is somebody to show it. */
const show = ({ title, body, link }: ShownNotice, clicked: () => void, blocked: (why: string) => void) =>
  new Promise<boolean>((taken) => {
    const notice = new Notification({
      title: withVisibleMarks(title),
      body: withVisibleMarks(body),
      ...forWindows(withVisibleMarks(title), withVisibleMarks(body), link),
    })
    const timer = setTimeout(() => taken(true), silenceMs)
    const settle = (isShown: boolean) => {
      clearTimeout(timer)
      taken(isShown)
    }
    shown.add(notice)
    notice.on('show', () => {
      blocked('')
      settle(true)
    })
    notice.on('click', () => {
      shown.delete(notice)
      // Some systems leave it in their list until they are told.
      notice.close()
      clicked()
    })
    notice.on('close', () => shown.delete(notice))
    notice.on('failed', (_event, why) => {
      blocked(why || 'refused')
      settle(false)
    })
    notice.show()
  })

/**
 * Shows a native notice; a click on it leads on.
 * @param blocked hears why the system shows none; empty where it does
 * @returns whether the system took it
 */
export const showNotice = async (
  notice: ShownNotice,
  clicked: () => void,
  blocked: (why: string) => void,
): Promise<boolean> => {
  if (!Notification.isSupported()) {
    blocked('not supported')
    return false
  }
  if (process.platform === 'linux' && !(await hasNoticeService())) {
    blocked(`${noticeService} does not answer`)
    return false
  }
  return show(notice, clicked, blocked)
}
