import { render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import { toPackage } from '../../electron/dialects/specification/packages.ts'
import Copies from '../../renderer/pages/packages/Copies.svelte'
import Generations from '../../renderer/pages/packages/Generations.svelte'
import PackageFacts from '../../renderer/pages/packages/PackageFacts.svelte'
import { somePackagePage } from './some-package-page.ts'

const generation = { created: null, bytes: 1, items: 1, isLast: false }
const page = {
  ...somePackagePage,
  package: toPackage({
    id: 'b',
    generation: 1,
    permissions: ['query', 'add_informationpackage'],
    profile_Import: null,
    has_cts: 'anything',
  }),
  generations: [
    { ...generation, id: 'a' },
    { ...generation, id: 'b', isLast: true },
  ],
  isPreserved: false,
}

test('what was never preserved lacks no copies', () => {
  const { rerender } = render(Copies, { copies: [], wanted: 3, isPreserved: false })
  expect(screen.getByRole('heading').textContent).toMatch(/made when it is preserved/)
  return rerender({ copies: [], wanted: 3, isPreserved: true }).then(() =>
    expect(screen.getByRole('heading').textContent).toMatch(/the policy requires 3/),
  )
})

test('generations are counted by their place, on tiles and among the facts', () => {
  render(Generations, { generations: page.generations, openId: 'b' })
  expect(screen.getAllByRole('link').map((element) => element.querySelector('b')?.textContent)).toEqual([
    '1',
    '2 · current',
  ])
  render(PackageFacts, { page })
  const [name] = screen.getAllByRole('term').filter(({ textContent }) => textContent.trim() === 'Generation')
  expect(name?.nextElementSibling?.textContent).toMatch(/2/)
})

test('what one may do is about this package, and what nobody asks for is left to the whole record', () => {
  render(PackageFacts, { page })
  expect(screen.getAllByRole('listitem').map((element) => element.textContent)).toEqual(['search in it'])
  expect(screen.queryByText(/has_cts|Import|not attached/)).toBeNull()
})

test('an agent has the name of its role, and the software of the archival creator one of its own', () => {
  const agents = {
    ARCHIVIST_ORGANIZATION: { id: 1, role: 'ARCHIVIST', type: 'ORGANIZATION', name: 'Byggnadsnämnden' },
    ARCHIVIST_SOFTWARE: { id: 2, role: 'ARCHIVIST', type: 'SOFTWARE', name: 'Diary 4' },
    SUBMITTER_INDIVIDUAL: { id: 3, role: 'SUBMITTER', type: 'INDIVIDUAL', name: 'Per Wallin' },
  }
  render(PackageFacts, { page: { ...page, package: toPackage({ id: 'b', agents }) } })
  const terms = screen.getAllByRole('term').map(({ textContent }) => textContent.trim())
  for (const name of ['Archival creator', 'Archival creator’s software', 'Submitter, person'])
    expect(terms).toContain(name)
})
