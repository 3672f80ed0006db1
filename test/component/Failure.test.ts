import { render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import type { Failure as Trouble } from '../../electron/contract/failure.ts'
import { setLanguage } from '../../renderer/language/say.svelte.ts'
import Failure from '../../renderer/parts/Failure.svelte'

const troubles: Trouble[] = [
  { kind: 'offline', address: 'https://a.example', detail: 'ECONNREFUSED' },
  { kind: 'offline', address: 'a b', detail: 'ERR_INVALID_URL' },
  { kind: 'unencrypted', address: 'http://a.example' },
  { kind: 'signed-out' },
  { kind: 'wrong-password' },
  { kind: 'shut-out', detail: 'Account locked: too many login attempts.' },
  { kind: 'shut-out', detail: 'Negotiate', isOtherWay: true },
  { kind: 'not-allowed', detail: 'no' },
  { kind: 'not-found', what: 'x' },
  { kind: 'refused', fields: { delivery: ['Does not exist.'] } },
  { kind: 'conflict', detail: 'sent' },
  ...(
    ['html', 'not-json', 'cut-off', 'too-long', 'too-slow', 'unexpected', 'redirect', 'error'] as const
  ).map((detail) => ({
    kind: 'server-broke' as const,
    address: 'https://a.example/api/',
    status: 500,
    detail,
    excerpt: '<html>',
  })),
  ...(['unreachable', 'refused', 'sign-in', 'wrong-password', 'method', 'kind'] as const).map((trouble) => ({
    kind: 'proxy' as const,
    proxy: 'proxy.example:8080',
    trouble,
    detail: '407',
  })),
  ...(['full', 'not-allowed', 'gone', 'read-back', 'other'] as const).map((trouble) => ({
    kind: 'disk' as const,
    trouble,
    path: '/mnt/usb',
  })),
  ...(['vanished', 'changed', 'unreadable', 'not-a-file', 'no-text', 'holds-target'] as const).map(
    (trouble) => ({
      kind: 'source' as const,
      trouble,
      path: '/home/å.txt',
    }),
  ),
  { kind: 'not-ready', missing: ['name', 'contents'] },
  { kind: 'not-ready', missing: ['packages'] },
  { kind: 'unknown-format', format: 'a later one' },
  { kind: 'no-ingest-folder', path: null },
  { kind: 'no-ingest-folder', path: '/mnt/ingest' },
  { kind: 'network-folder', path: '\\\\server\\ingest' },
  { kind: 'not-mounted', path: '/mnt/ingest', mountPoint: '/mnt' },
  { kind: 'unconfirmed', what: 'registration', mayBeSent: false },
  { kind: 'unconfirmed', what: 'package', mayBeSent: false },
  { kind: 'unconfirmed', what: 'package', mayBeSent: true },
  { kind: 'unconfirmed', what: 'submission', mayBeSent: false },
  { kind: 'unconfirmed', what: 'submission', mayBeSent: true },
  { kind: 'local-archive', detail: 'Another archive' },
  { kind: 'bug', reference: 'ab12' },
]

for (const language of ['en', 'sv'] as const)
  test.each(troubles)(`a failure is a sentence, and what to do next (${language}): %o`, (failure) => {
    setLanguage(language)
    const { container } = render(Failure, { failure })
    const [what, next] = [...container.querySelectorAll('p')].map((element) => element.textContent)
    expect(what).toMatch(/\p{L}+ \p{L}+.*\.$/u)
    expect(next).toMatch(/\p{L}+ .*\.$/u)
    expect(container.textContent).not.toMatch(/undefined|\[object|null/)
    expect(screen.getByRole('alert')).toBeTruthy()
  })

test('what an order lacks is not said of a transfer, and a state is said in the language of the page', () => {
  setLanguage('sv')
  const order = render(Failure, { failure: { kind: 'not-ready', missing: ['name', 'packages'] } })
  expect(order.container.textContent).toContain('Den behöver ännu ett namn och minst ett paket.')
  const refused = render(Failure, { failure: { kind: 'refused', fields: { name: ['Finns redan.'] } } })
  expect(refused.container.textContent).toContain('Namn: Finns redan.')
  const moved = render(Failure, { failure: { kind: 'conflict', detail: 'prepared' } })
  expect(moved.container.textContent).toContain('tillståndet är förberedd.')
  const gone = (what: string) =>
    render(Failure, { failure: { kind: 'not-found', what } }).container.querySelector('b')?.textContent
  expect(['', 'file', 'AIP-1'].map(gone)).toEqual([
    'Det finns inte här.',
    'Filen finns inte här.',
    '”AIP-1” finns inte här.',
  ])
})

test('nobody is told to sign in with the address of a page where one signs in otherwise', () => {
  setLanguage('en')
  const next = (excerpt: string) => {
    const address = 'https://a.example/api/auth/token_login/'
    const failure = {
      kind: 'server-broke' as const,
      address,
      status: 302,
      detail: 'redirect' as const,
      excerpt,
    }
    return render(Failure, { failure }).container.querySelectorAll('p')[1]?.textContent
  }
  expect(next('https://b.example/archive/api/auth/token_login')).toMatch(/^Sign in with the address/)
  expect(next('https://sso.example/adfs/ls?wctx=%2Fapi%2Fauth%2Ftoken_login%2F')).toMatch(/single sign-on/)
  expect(next('https://a.example/login?next=/api/auth/token_login/')).toMatch(/single sign-on/)
})
