import path from 'node:path'
import { startArchive } from '../archives/archive.ts'
import { until } from '../support/until.ts'
import { startFaultyServer } from '../faults/faulty-server.ts'
import { expect, makeDraft, openFiles, settled, signIn, type Desk } from './fixtures.ts'

/** Something that this desk works at, as a line of the Desk. */
export const workOf = ({ page }: Desk, name: string) => page.getByRole('listitem').filter({ hasText: name })

/** Has the desk fetch “brev.txt” of an archive that gives no file and takes nothing from then on. */
export const beginFetching = async (
  desk: Desk,
  proxy: Awaited<ReturnType<typeof startFaultyServer>>,
  saved: string,
) => {
  const { page } = desk
  await page.keyboard.press('2')
  await page.getByRole('row', { name: /Oxen/ }).click()
  await openFiles(page)
  await page.getByRole('button', { name: 'Open content' }).click()
  await page.getByRole('button', { name: 'Look at brev.txt' }).click()
  await expect(page.frameLocator('iframe:not([inert])').locator('pre')).toContainText('å, ä och ö')
  proxy.misbehave('holds', /^POST (?!.*auth)|\/files\//)
  await desk.answerDialogs([saved])
  await page.getByRole('button', { name: 'Download' }).click()
}

/**
 * Has the desk fetch “brev.txt” and send “Letters”, and the archive answer neither before it is told to go
 * on: so far both stand as they are. The Desk is open then. Only an archive that speaks as ESSArch does gives
 * single files, so it is one.
 * @param folder for the archive, and for what is sent and saved
 */
export const beginWork = async (desk: Desk, folder: string) => {
  const { page } = desk
  const archive = await startArchive(path.join(folder, 'archive'), '--sample', '--dialect', 'essarch')
  const proxy = await startFaultyServer(archive.url)
  await signIn(desk, proxy.url, archive.username, archive.password)
  await settled(page)
  const saved = path.join(folder, 'brev.txt')
  await beginFetching(desk, proxy, saved)
  await until(() => ((proxy.met()['holds'] ?? 0) > 0 ? true : undefined))
  await page.keyboard.press('1')
  await makeDraft({ ...desk, dialect: 'essarch' }, folder, 'Letters')
  await page.getByRole('button', { name: 'Pack', exact: true }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.keyboard.press('1')
  const fetching = workOf(desk, 'Fetching “brev.txt”')
  const sending = workOf(desk, 'Sending “Letters”')
  await expect(sending.getByRole('progressbar')).toBeVisible()
  await expect(fetching.getByRole('progressbar')).toBeVisible()
  return { archive, proxy, fetching, sending, saved }
}
