import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { openDesk, type Desk } from './launch.ts'

export const test = base.extend<{ desk: Desk }>({
  desk: async ({}, use) => {
    const desk = await openDesk()
    await use(desk)
    await desk.close()
  },
})

/** Every rule of axe, contrast included, on the page as it is now. */
export const checkAccess = async (page: Page) => {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`)).toEqual([])
}

export { expect }
export type { Desk }
