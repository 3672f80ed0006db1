import { app, dialog } from 'electron'
import { Failed, type Failure } from '../contract/failure.ts'
import type { Words } from '../language/words.ts'

type DiskFailure = Extract<Failure, { kind: 'disk' }>

/**
 * Opens what may be held by another program, or lie on a disk without space: a person is told so and may try
 * again. Nothing is replaced meanwhile; who gives up ends the program.
 * @throws whatever else goes wrong
 */
export const openOrAsk = async <T>(
  open: () => T,
  words: () => Words['start'],
  failed: (failure: DiskFailure) => void,
): Promise<T> => {
  for (;;) {
    try {
      return open()
    } catch (error) {
      if (!(error instanceof Failed) || error.failure.kind !== 'disk') throw error
      const { failure } = error
      failed(failure)
      const { troubles, detail, again, quit } = words()
      const { response } = await dialog.showMessageBox({
        type: 'warning',
        title: 'Lectern',
        message: troubles[failure.trouble](failure.path),
        detail,
        buttons: [again, quit],
        defaultId: 0,
        cancelId: 1,
      })
      if (response === 0) continue
      app.exit(0)
      return new Promise<T>(() => undefined)
    }
  }
}
