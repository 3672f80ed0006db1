import { render, screen, within } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import Archives from '../../renderer/pages/frame/Archives.svelte'
import type { OtherArchive } from '../../renderer/state/session.svelte.ts'
import { someAccount, someConnection } from './some-session.ts'

// The page's door is there before any page is.
vi.hoisted(() => Object.assign(window, { bridge: { application: {}, archive: {} } }))

const archive = (name: string, state: OtherArchive['state']): OtherArchive => ({
  ...someAccount,
  archive: name,
  name,
  fullName: 'Per Wallin',
  state,
})
test('an archive that what was begun there waits for says so in the list of the others', () => {
  const others = [archive('Parish', 'signed-out'), archive('Museum', 'online'), archive('Port', 'offline')]
  render(Archives, {
    status: {
      account: archive('Town', 'online'),
      others,
      connection: someConnection,
      lastUrl: '',
      lastUsername: '',
    },
  })
  const list = screen.getByRole('list', { name: 'Other archives', hidden: true })
  const told = within(list)
    .getAllByRole('button', { hidden: true })
    .map(({ textContent }) => textContent?.replaceAll(/\s+/g, ' ').trim())
  expect(told).toEqual(['Parish Per Wallin Signed out', 'Museum Per Wallin', 'Port Per Wallin No connection'])
})
