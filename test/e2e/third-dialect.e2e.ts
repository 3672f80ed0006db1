import { buildWithShelf } from '../third-dialect/build-app.ts'
import { startShelf } from '../third-dialect/serve.ts'
import { expect, settled, signIn, test } from './desk.ts'
import { openDesk } from './launch.ts'

test('an archive of a dialect that the pages never heard of is shown in a window', async () => {
  const server = await startShelf()
  const desk = await openDesk({}, await buildWithShelf())
  try {
    const { page } = desk
    await signIn(desk, server.url, 'ada', 'secret')
    await settled(page)
    await page.getByRole('link', { name: 'Packages' }).click()
    await expect(page.getByRole('row', { name: /Maps of the harbour/ })).toContainText('Safe')
    await expect(page.getByRole('row', { name: /Ledgers of the mill/ })).toContainText('Safe')
  } finally {
    await desk.close()
    server.stop()
  }
})
