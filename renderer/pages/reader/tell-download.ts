import type { Download } from '../../../electron/contract/files.ts'
import { say } from '../../language/say.svelte.ts'
import { announcement } from '../../state/announce.svelte.ts'
import { nameIn } from '../../../electron/contract/file-paths.ts'

/**
 * Says at the foot of the window what became of a file that was downloaded.
 * @param show leads to the downloads of the package
 */
export const tellDownload = ({ path, state, verdict, failure }: Download, show: () => unknown): void => {
  const name = nameIn(path)
  if (state === 'altered')
    announcement.say(() => say.deskPage.notAsPreserved(name), {
      text: () => say.reader.showDownloads,
      run: show,
    })
  else if (verdict?.is === 'preserved') announcement.say(() => say.reader.savedAsPreserved(name))
  else if (state === 'done' && verdict === null) announcement.say(() => say.reader.saved(name))
  else if (failure) announcement.fail(failure)
}
