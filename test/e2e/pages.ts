import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { pack } from '../packages/packing.ts'
import {
  expandInTree,
  inTree,
  makeDraft,
  openList,
  openPractice,
  readPackage,
  type Desk,
} from './fixtures.ts'

/** Goes to an address as a link would. */
export const goTo = (page: Page, address: string) =>
  page.evaluate((hash) => {
    location.hash = hash
  }, address)

const tabs = ['Overview', 'Files', 'Copies', 'Description', 'History', 'All fields'] as const

/** Every page, in the order in which they are opened, each from the one before. */
export const pages: [name: string, open: (desk: Desk, place: string) => Promise<unknown>][] = [
  ['sign-in', ({ page }) => page.getByRole('heading', { name: 'Which archive?' }).waitFor()],
  ['desk, at first', (desk) => openPractice(desk)],
  [
    'packages',
    async ({ page }) => {
      await goTo(page, '#/packages')
      await page.getByRole('row', { name: /Oxen/ }).waitFor()
    },
  ],
  ...tabs.map((tab): (typeof pages)[number] => [
    `package, ${tab}`,
    async ({ page }) => {
      if (tab === 'Overview') await page.getByRole('row', { name: /Oxen/ }).click()
      await page.getByRole('tab', { name: tab }).click()
    },
  ]),
  [
    'comparison of generations',
    async ({ page }) => {
      await page.getByRole('tab', { name: 'Overview' }).click()
      await page.getByRole('button', { name: 'Compare generations' }).click()
      await page.getByText(/Generation \d beside generation \d/).waitFor()
    },
  ],
  [
    'search, nothing typed',
    async ({ page }) => {
      await goTo(page, '#/search')
      await page.getByRole('link', { name: 'Drawings since 2019' }).waitFor()
    },
  ],
  [
    'search',
    async ({ page }) => {
      await page.getByRole('searchbox').fill('oxen OR harbour')
      await page.locator('mark').first().waitFor()
    },
  ],
  [
    'search, index',
    async ({ page }) => {
      await page.getByRole('searchbox').fill('volume')
      await page.keyboard.press('Enter')
      await page.locator('.found li a').first().waitFor()
    },
  ],
  [
    'results as one types',
    async ({ page }) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('oxen')
      await page.getByRole('option').nth(2).waitFor()
    },
  ],
  [
    'transfers, none',
    async ({ page }) => {
      await page.keyboard.press('Escape')
      await goTo(page, '#/transfers')
      await page.getByRole('heading', { name: 'Ways to begin' }).waitFor()
    },
  ],
  ['transfer, draft', (desk, place) => makeDraft(desk, place, 'Oxen, fourth delivery of the drawings')],
  [
    'transfer, prepared',
    async ({ page }) => {
      await page.getByLabel('Submitting organization').fill('Stadsarkivet')
      await page.getByLabel('Submitted by').fill('Astrid Åkesson')
      await page.getByRole('button', { name: 'Pack', exact: true }).click()
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    },
  ],
  [
    'transfer, preserved',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByText('The archive has preserved it.').waitFor()
    },
  ],
  [
    'receipt',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Receipt', exact: true }).click()
      await page.getByText('The originals may be deleted.').waitFor()
    },
  ],
  [
    'transfers, from a table',
    async (desk, place) => {
      const { page } = desk
      writeFileSync(path.join(place, 'list.csv'), 'Folder,Title\n.,Letters from Öland\ngone,Gone\n')
      await goTo(page, '#/transfers')
      await page.getByRole('button', { name: 'More ways to begin' }).click()
      await desk.answerDialogs([path.join(place, 'list.csv')])
      await page.getByRole('button', { name: 'From a table' }).click()
      await page.getByText('the source is not there').waitFor()
    },
  ],
  [
    'transfers, a new draft',
    async (desk, place) => {
      await makeDraft(desk, place, '')
      await goTo(desk.page, '#/transfers')
      await desk.page.getByRole('row', { name: /Oxen/ }).waitFor()
    },
  ],
  [
    'orders, a draft',
    async ({ page }) => {
      await goTo(page, '#/packages')
      await page.getByRole('row', { name: /Water works/ }).click()
      await page.getByRole('button', { name: 'Add to order' }).click()
      await page.getByRole('button', { name: 'Show the order' }).click()
      await page.getByLabel('Paste identifiers, one a line').fill('SE/STA/1037\nno such thing')
      await page.getByRole('button', { name: 'Check and add' }).click()
      await page.getByText('not found here').waitFor()
      await page.getByLabel('Name', { exact: true }).fill('Thursday, table 4')
    },
  ],
  [
    'order',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Place the order' }).click()
      await page.getByText('kept on this computer only').waitFor()
    },
  ],
  [
    'slips',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Print slips …' }).click()
      await page.locator('.paper article svg').first().waitFor()
    },
  ],
  [
    'orders',
    async ({ page }) => {
      await page.keyboard.press('Escape')
      await goTo(page, '#/orders')
      await page.getByRole('row', { name: /Thursday, table 4/ }).waitFor()
    },
  ],
  [
    'storage',
    async ({ page }) => {
      await goTo(page, '#/storage')
      await page.locator('.picture').waitFor()
    },
  ],
  ['storage, as lists', async ({ page }) => page.keyboard.press('Control+t')],
  [
    'medium',
    async ({ page }) => {
      await page.keyboard.press('Control+t')
      await page.getByRole('link', { name: 'LTO-0418', exact: true }).first().click()
      await page.getByRole('heading', { name: 'LTO-0418' }).waitFor()
    },
  ],
  [
    'risk',
    async ({ page }) => {
      await goTo(page, '#/storage/risk:few%20copies')
      await page.getByRole('row').nth(1).waitFor()
    },
  ],
  [
    'description',
    async ({ page }) => {
      await goTo(page, '#/description')
      await page
        .getByRole('row', { name: /Byggnadsnämnden/ })
        .first()
        .waitFor()
    },
  ],
  [
    'description, agents',
    async ({ page }) => {
      await openList(page, 'agents')
      await page.getByRole('row', { name: /Byggnadsnämnden/ }).waitFor()
    },
  ],
  [
    'description, an agent',
    async ({ page }) => {
      await page.getByRole('row', { name: /Byggnadsnämnden/ }).click()
      await page.locator('#record h1').waitFor()
    },
  ],
  [
    'description, a form',
    async ({ page }) => {
      await page.getByRole('button', { name: 'New', exact: true }).click()
      await page.getByRole('button', { name: 'Add to: Names' }).click()
    },
  ],
  ...(['structures', 'locations', 'submission-agreements'] as const).map((list): (typeof pages)[number] => [
    `description, ${list}`,
    async ({ page }) => {
      await openList(page, list)
      await page.getByRole('row').nth(1).click()
      await page.locator('#record h1').waitFor()
    },
  ]),
  [
    'activity',
    async ({ page }) => {
      await goTo(page, '#/activity')
      await page.getByRole('row').nth(1).waitFor()
    },
  ],
  [
    'package with contents',
    async ({ page }) => {
      await goTo(page, '#/packages')
      await page.getByRole('row', { name: /fourth delivery/ }).click()
      await page.getByRole('tab', { name: 'Overview' }).click()
      await page.locator('#record').getByRole('link', { name: 'brev.txt' }).waitFor()
    },
  ],
  [
    'reader',
    async ({ page }) => {
      await goTo(page, '#/packages')
      await page.getByRole('row', { name: /fourth delivery/ }).click()
      await readPackage(page)
      await expandInTree(page, /^data/)
      await inTree(page, 'brev.txt').click()
      await page.getByRole('heading', { name: 'This is what was preserved' }).waitFor()
    },
  ],
  [
    'checks',
    async ({ page }) => {
      await goTo(page, '#/checks')
      await page.locator('main h1').first().waitFor()
    },
  ],
  [
    'report of a check',
    async (desk, place) => {
      const { page } = desk
      const [source, bag] = [path.join(place, 'letters'), path.join(place, 'bag')]
      mkdirSync(source)
      writeFileSync(path.join(source, 'brev.txt'), 'Ett brev')
      await pack([source], bag)
      appendFileSync(path.join(bag, 'data', 'letters', 'brev.txt'), ', ändrat')
      await desk.answerDialogs([bag])
      await page.getByRole('button', { name: 'Check a package in a folder' }).click()
      await page.getByText('The content does not have the checksum that is listed').waitFor()
    },
  ],
  [
    'settings',
    async ({ page }) => {
      await goTo(page, '#/settings')
      await page.getByRole('heading', { name: 'Settings' }).waitFor()
    },
  ],
  [
    'guide',
    async ({ page }) => {
      await page.keyboard.press('F1')
      await page.getByRole('navigation', { name: 'Contents' }).waitFor()
    },
  ],
  [
    'about',
    async ({ page }) => {
      await goTo(page, '#/help/about')
      await page.getByRole('heading', { name: 'About Lectern' }).waitFor()
    },
  ],
  [
    'desk',
    async ({ page }) => {
      await goTo(page, '#/desk')
      await page.getByRole('heading', { name: 'Desk' }).waitFor()
    },
  ],
  [
    'desk, with what needs one',
    async (desk, place) => {
      const { page } = desk
      await goTo(page, '#/transfers')
      await makeDraft(desk, place, 'Protocols of the harbour board')
      await page.getByLabel('Submitting organization').fill('Stadsarkivet')
      await page.getByLabel('Submitted by').fill('Astrid Åkesson')
      await page.getByRole('button', { name: 'Pack', exact: true }).click()
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
      await goTo(page, '#/desk')
      await page.getByText('Protocols of the harbour board').first().waitFor()
    },
  ],
  [
    'notices',
    async ({ page }) => {
      await page.getByRole('button', { name: /^Notices/ }).click()
      await page.locator('#notices .all').waitFor()
    },
  ],
  [
    'keys',
    async ({ page }) => {
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  ],
]
