import { render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { PackageFiles } from '../../electron/contract/reader.ts'
import type { SessionStatus } from '../../electron/contract/session.ts'
import Contents from '../../renderer/pages/packages/Contents.svelte'
import { session } from '../../renderer/state/session.svelte.ts'
import { reached } from './some-session.ts'

// The page's door is there before any page is.
const { index, status, told } = vi.hoisted(() => {
  const [index, status] = [vi.fn(), vi.fn()]
  const told: ((status: SessionStatus) => void)[] = []
  const changed = (listener: (status: SessionStatus) => void) => {
    told.push(listener)
    return () => undefined
  }
  const news = () => () => undefined
  const reader = { index, indexed: news, thumbnails: () => Promise.resolve({ value: [] }) }
  const viewer = { ended: news, opened: news }
  const application = { session: { status, changed } }
  Object.assign(window, { bridge: { application, archive: { reader, viewer }, viewer } })
  return { index, status, told }
})

const counted: PackageFiles = {
  package: 'p',
  state: 'done',
  files: 17,
  isCut: false,
  hasContainer: false,
  formats: [
    { format: 'TIFF', files: 11, bytes: 900 },
    { format: 'Text', files: 6, bytes: 60 },
  ],
  leading: [],
  failure: null,
}
const heading = async (some: Partial<PackageFiles>, items: number | null) => {
  index.mockResolvedValue({ value: { ...counted, ...some } })
  const { unmount } = render(Contents, { of: 'p', items, hasPictures: false })
  // Which formats are the most is known once all are counted.
  await (some.state === 'working' ? screen.findByText(/17/) : screen.findByText('TIFF'))
  const text = screen.getByRole('heading').textContent.replaceAll(/\s+/g, ' ').trim()
  unmount()
  return text
}

test('files that a package counts, and its own beside them, add up to those of the formats', async () => {
  expect(await heading({}, 12)).toBe('What is in it 12 files, and 5 of the package’s own')
})

test('what is in a container is counted with the rest, and not taken for what packs it', async () => {
  const said = 'What is in it 17 files, those in its container among them'
  expect(await heading({ hasContainer: true }, 3)).toBe(said)
  expect(await heading({ hasContainer: true }, null)).toBe(said)
})

test('where they are as many, or are still counted, or nobody says, nothing is told of them', async () => {
  expect(await heading({}, 17)).toBe('What is in it')
  expect(await heading({}, null)).toBe('What is in it')
  expect(await heading({ state: 'working' }, 12)).toBe('What is in it')
  expect(await heading({ isCut: true }, 12)).toBe('What is in it')
})

const lost = { kind: 'not-found', what: 'p' } as const

test.each([
  ['at once', { failure: lost }],
  [
    'while they are counted',
    { value: { ...counted, state: 'failed', files: 0, formats: [], failure: lost } },
  ],
])('what cannot be counted keeps its room, and says why it is empty: %s', async (_when, answer) => {
  index.mockResolvedValue(answer)
  const onwithheld = vi.fn()
  const { unmount } = render(Contents, { of: 'p', items: 12, hasPictures: false, onwithheld })
  await screen.findByText(/^The archive cannot give these files now/)
  expect(onwithheld).toHaveBeenLastCalledWith(true)
  expect(screen.getByRole('heading').textContent.trim()).toBe('What is in it')
  unmount()
})

test('an archive that is out of reach has not said that it cannot give them', async () => {
  index.mockResolvedValue({ failure: { kind: 'offline', reason: '' } })
  const onwithheld = vi.fn()
  const { unmount } = render(Contents, { of: 'p', items: 12, hasPictures: false, onwithheld })
  await screen.findByText(/is shown once the archive answers/)
  expect(onwithheld).toHaveBeenLastCalledWith(false)
  unmount()
})

test('what an archive out of reach did not give is shown once it answers', async () => {
  status.mockResolvedValue({ value: reached('offline') })
  await session.start()
  index.mockResolvedValue({ failure: { kind: 'offline', reason: '' } })
  render(Contents, { of: 'p', items: 12, hasPictures: false })
  await screen.findByText(/is shown once the archive answers/)
  index.mockResolvedValue({ value: counted })
  told.forEach((listener) => listener(reached('online')))
  expect(await screen.findByText('TIFF')).toBeTruthy()
})
