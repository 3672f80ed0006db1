import path from 'node:path'
import { scratch, startArchive } from '../archive.ts'
import { openDesk } from '../e2e/launch.ts'

/**
 * The pages that only an archive with more than the specification shows: its capabilities, files, failing
 * work, a dissemination package, a change of two users.
 */
export const walkEssarch = async (target: string, theme: 'light' | 'dark', language: 'en' | 'sv') => {
  using place = scratch()
  const archive = await startArchive(path.join(place.folder, 'archive'), '--sample', '--dialect', 'essarch')
  const act = (method: string, address: string, body: unknown) =>
    fetch(`${archive.url}/api/${address}`, {
      method,
      headers: { authorization: archive.basic, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const desk = await openDesk()
  const { page } = desk
  const shot = async (name: string) => {
    await page.waitForTimeout(300)
    await page.screenshot({
      path: path.join(target, `${name}-${theme}${language === 'sv' ? '-sv' : ''}.png`),
    })
  }
  await desk.app.evaluate(({ nativeTheme }, wanted) => {
    nativeTheme.themeSource = wanted
  }, theme)
  await page.evaluate((chosen) => window.bridge.application.settings.change(chosen), { theme, language })
  await page.getByLabel(/Address|Adress/).fill(archive.url)
  await page.getByLabel(/User name|Användarnamn/).fill(archive.username)
  await page.getByLabel(/Password|Lösenord/).fill(archive.password)
  await page.getByRole('button', { name: /^(Sign in|Logga in)$/ }).click()
  await page
    .getByRole('status')
    .filter({ hasText: /as of|hämtat/ })
    .waitFor()
  await page.waitForTimeout(1500)
  await page.keyboard.press(',')
  await shot('settings-capabilities')
  await page.keyboard.press('2')
  await page.getByRole('row', { name: /Oxen/ }).click()
  await page.getByRole('tab', { name: /Files|Filer/ }).click()
  await page.getByRole('button', { name: /Open content|Öppna content/ }).click()
  for (const [file, drawn] of [
    ['plan.png', 'img'],
    ['inventory.pdf', 'canvas'],
  ] as const) {
    await page.getByRole('button', { name: new RegExp(file) }).click()
    await page.frameLocator('iframe:not([inert])').locator(drawn).waitFor()
    await shot(`files-${drawn}`)
  }
  await desk.answerDialogs([path.join(place.folder, 'inventory.pdf')])
  await page.getByRole('button', { name: /^(Download|Ladda ner)$/ }).click()
  await page.getByText(/^(Saved|Sparad)$/).scrollIntoViewIfNeeded()
  await shot('files-downloaded')
  await page.getByRole('button', { name: /Add to order|Lägg i beställning/ }).click()
  const id = /packages\/([0-9a-f-]+)/.exec(page.url())?.[1] ?? ''
  const { information_packages: own } = (await archive.get(`information-packages/${id}/`)) as {
    information_packages?: { id: string }[]
  }

  await page.keyboard.press('5')
  await page.getByRole('row').nth(1).click()
  await page.getByLabel(/^(Name|Namn)$/).fill('Oxen, Thursday')
  await shot('order-typed')
  await page.getByRole('button', { name: /Place the order|Lägg beställningen|Skicka beställningen/ }).click()
  await page.getByRole('button', { name: /Make the package|Gör paketet/ }).waitFor()
  await shot('dip-begin')
  await page.getByRole('button', { name: /Make the package|Gör paketet/ }).click()
  await page.waitForTimeout(900)
  await shot('dip-working')
  await page.keyboard.press('1')
  await page.getByText(/Under way|Pågår/).waitFor()
  await shot('desk-ongoing')
  await page.keyboard.press('5')
  await page.getByRole('row', { name: /Oxen, Thursday/ }).click()
  await page.getByText(/The package is made|Paketet är gjort/).waitFor()
  await shot('dip-done')

  await page.keyboard.press('7')
  await page.evaluate(() => (location.hash = '#/description/deliveries'))
  await page.getByRole('row', { name: /Stadsmuseet/ }).click()
  await page.getByRole('button', { name: /^(Change|Ändra)$/ }).click()
  await page.locator('form textarea').first().fill('My words')
  await act('PATCH', 'deliveries/3/', { description: 'A colleague’s words', reference_code: 'L/2026/33' })
  await page.getByRole('button', { name: /^(Save|Spara)$/ }).click()
  await page.locator('.differ').scrollIntoViewIfNeeded()
  await shot('change-differences')

  await act('POST', `information-packages/${own?.at(-1)?.id ?? id}/preserve/`, { structure_unit: 1 })
  await page.waitForTimeout(1500)
  await page.getByRole('link', { name: /^(Packages|Paket)/ }).click()
  await page.keyboard.press('F5')
  await page.getByRole('searchbox').fill('oxen')
  // The dissemination package is called so too.
  await page.getByRole('row', { name: /Byggnadsnämnden.*Oxen/ }).click()
  await page.locator('#record').getByRole('heading', { name: /Oxen/ }).waitFor()
  await shot('work-failed')
  await desk.close()
  await archive.stop()
}
