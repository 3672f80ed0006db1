import { render, screen, within } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { Connection } from '../../electron/contract/session.ts'
import Archives from '../../renderer/pages/frame/Archives.svelte'
import type { OtherArchive } from '../../renderer/state/session.svelte.ts'

// The page's door is there before any page is.
vi.hoisted(() => Object.assign(window, { bridge: { application: {}, archive: {} } }))

const archive = (name: string, state: OtherArchive['state']): OtherArchive => ({
  archive: name,
  name,
  url: `https://${name}.example`,
  isHere: false,
  username: 'per',
  fullName: 'Per Wallin',
  keptIn: 'this session',
  scheme: 'Token',
  endsAt: null,
  colour: 0,
  state,
})
const connection: Connection = {
  state: 'online',
  asOf: null,
  lookedAt: null,
  refreshing: false,
  failure: null,
  unreadable: [],
  shrunk: [],
  incomplete: [],
}

test('an archive that what was begun there waits for says so in the list of the others', () => {
  const others = [archive('Parish', 'signed-out'), archive('Museum', 'online'), archive('Port', 'offline')]
  render(Archives, {
    status: { account: archive('Town', 'online'), others, connection, lastUrl: '', lastUsername: '' },
  })
  const list = screen.getByRole('list', { name: 'Other archives', hidden: true })
  const told = within(list)
    .getAllByRole('button', { hidden: true })
    .map(({ textContent }) => textContent?.replaceAll(/\s+/g, ' ').trim())
  expect(told).toEqual(['ParishPer Wallin Signed out', 'MuseumPer Wallin', 'PortPer Wallin No connection'])
})
