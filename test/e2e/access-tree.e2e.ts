import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chooseDestination, expect, makeDraft, openPractice, test } from './fixtures.ts'

/** As a screen reader has it: by roles and names alone, in their order. */
test('a package is found, ordered, and a transfer prepared in the tree of accessibility', async ({
  desk,
}) => {
  const { page } = desk
  const place = mkdtempSync(path.join(os.tmpdir(), 'lectern-tree-'))
  await openPractice(desk)
  const banner = page.getByRole('banner')
  const record = page.getByRole('article')

  await test.step('found', async () => {
    await banner.getByRole('combobox').fill('oxen')
    await expect(banner).toMatchAriaSnapshot(`
      - banner:
        - search:
          - combobox "A place, a command, a package or a number" [expanded]: oxen
          - listbox "Commands":
            - group "Packages":
              - option "Byggnadsnämndens ritningar, kv. Oxen · Generation 3 SE/STA/1037" [selected]
        - status:
          - button /Online, as of/
          - link "Outbox empty"
        - button "Notices"
        - button "Keys"
    `)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toMatchAriaSnapshot(`
      - main:
        - region "Packages":
          - heading "Packages" [level=1]
          - searchbox "Label, identifier or state"
          - group "Narrow the list"
          - treegrid "Packages":
            - row "Label Size Copies Changed":
              - columnheader "Label"
              - columnheader "Size"
              - columnheader "Copies"
              - columnheader "Changed"
            - row "Byggnadsnämndens ritningar, kv. Oxen 38.4 GB 3 3 Dec 2024" [selected]:
              - gridcell "Byggnadsnämndens ritningar, kv. Oxen"
        - separator "Width of the list"
        - article "Byggnadsnämndens ritningar, kv. Oxen":
          - heading "Byggnadsnämndens ritningar, kv. Oxen" [level=1]
          - button "Add to order"
          - button "New generation"
          - tablist "Parts of the package":
            - tab "Overview" [selected]
            - tab "Copies 3"
            - tab "History 2"
            - tab "All fields"
          - tabpanel "Overview":
            - heading "3 copies, all that the policy requires" [level=2]
            - table
    `)
  })

  await test.step('ordered', async () => {
    await record.getByRole('button', { name: 'Add to order' }).click()
    const said = page.getByRole('contentinfo').getByRole('status')
    await expect(said).toContainText(/“[^”]+” added to the order\./)
    await said.getByRole('button', { name: 'Show the order' }).click()
    await record.getByRole('textbox', { name: 'Name', exact: true }).fill('Thursday')
    await expect(record).toMatchAriaSnapshot(`
      - article "Thursday":
        - heading "Thursday" [level=1]
        - button "Place the order"
        - button "Print slips …"
        - textbox "Name": Thursday
        - heading "Server room 2" [level=2]
        - list "DISK-A":
          - listitem:
            - link "Byggnadsnämndens ritningar, kv. Oxen"
            - button "Take out Byggnadsnämndens ritningar, kv. Oxen"
        - textbox "Paste identifiers, one a line"
        - textbox "What it is for"
    `)
    await record.getByRole('button', { name: 'Place the order' }).click()
    await expect(said).toContainText('The order is in the archive.')
    await expect(record).toMatchAriaSnapshot(`
      - article "Thursday":
        - group "All of them":
          - button "Asked for" [pressed]
          - button "In the reading room"
        - list:
          - listitem:
            - 'combobox "Byggnadsnämndens ritningar, kv. Oxen: State"':
              - option "Asked for" [selected]
    `)
  })

  await test.step('prepared', async () => {
    await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Transfers' }).click()
    await makeDraft(desk, place, 'The attic')
    await chooseDestination(page, desk.dialect)
    await expect(record).toMatchAriaSnapshot(`
      - article "The attic":
        - heading "The attic" [level=1]
        - list "Where it is":
          - listitem: Prepared (next)
          - listitem: Sent (not yet)
          - listitem: Received (not yet)
          - listitem: Preserved (not yet)
        - button "Pack"
        - textbox "Name": The attic
        - combobox "Delivery"
        - textbox "Submitted by"
        - status: Saved on this computer
        - heading "Contents 2 files, 1 folder, 3 MB" [level=2]
        - button "Add a folder"
        - checkbox /^Polite/
    `)
    await record.getByRole('button', { name: 'Pack', exact: true }).click()
    await expect(record.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
    await expect(record.getByRole('list', { name: 'Where it is' })).toMatchAriaSnapshot(`
      - list "Where it is":
        - listitem: /^Prepared \\(done\\)/
        - listitem: Sent (next)
        - listitem: Received (not yet)
        - listitem: Preserved (not yet)
    `)
    await expect(page.getByRole('region', { name: 'Transfers' })).toMatchAriaSnapshot(`
      - grid "Transfers":
        - row "Name Where it is Changed"
        - row /^The attic Prepared/ [selected]
    `)
  })
  rmSync(place, { recursive: true })
})
