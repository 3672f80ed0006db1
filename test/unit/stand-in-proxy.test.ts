import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { readRoutes } from '../../electron/archive-client/routes.ts'
import { openProxySettings, type ProxyConfig } from '../electron-stand-in/electron/proxy.ts'

// What the stand-in answers is what Chromium would: journeys through proxies rest on it.
afterEach(() => vi.unstubAllEnvs())

const resolve = async (config: ProxyConfig, url = 'https://archive.example/') => {
  const settings = openProxySettings()
  await settings.setProxy(config)
  return settings.resolveProxy(url)
}

const names = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy']
const stubEnvironment = (wanted: Record<string, string>) => {
  for (const name of names) {
    vi.stubEnv(name, wanted[name])
    vi.stubEnv(name.toUpperCase(), wanted[name.toUpperCase()])
  }
}

test('one proxy, SOCKS among them, is said in the words of a PAC script, with its usual port', async () => {
  const fixed = (proxyRules: string, proxyBypassRules = '') =>
    resolve({ mode: 'fixed_servers', proxyRules, proxyBypassRules })
  expect(await fixed('proxy.example:8080')).toBe('PROXY proxy.example:8080')
  expect(await fixed('https://proxy.example')).toBe('HTTPS proxy.example:443')
  expect(await fixed('socks5://proxy.example')).toBe('SOCKS5 proxy.example:1080')
  expect(await fixed('socks5://[::1]:1081,direct://')).toBe('SOCKS5 [::1]:1081; DIRECT')
  expect(readRoutes(await fixed('socks5://[::1]:1081'))).toEqual([
    { kind: 'socks5', host: '::1', port: 1081, credentials: null },
  ])
  expect(readRoutes(await fixed('socks4://proxy.example'))).toEqual([
    { kind: 'unusable', name: 'SOCKS proxy.example:1080' },
  ])
  expect(await fixed('http=a:1;https=b:2')).toBe('PROXY b:2')
  expect(await fixed('http=a:1')).toBe('DIRECT')
  expect(await fixed('a:1', '*.example')).toBe('DIRECT')
  expect(await fixed('a:1', '.other;<local>')).toBe('PROXY a:1')
})

test('the environment says the proxy of a system without settings of its own', async () => {
  const system: ProxyConfig = { mode: 'system' }
  stubEnvironment({})
  expect(await resolve(system)).toBe('DIRECT')
  stubEnvironment({ https_proxy: 'http://proxy.example:3128/', http_proxy: 'plain.example:80' })
  expect(await resolve(system)).toBe('PROXY proxy.example:3128')
  expect(await resolve(system, 'http://archive.example/')).toBe('PROXY plain.example:80')
  expect(await resolve(system, 'https://127.0.0.1:8000/')).toBe('DIRECT')
  stubEnvironment({ ALL_PROXY: 'socks5://proxy.example' })
  expect(await resolve(system)).toBe('SOCKS5 proxy.example:1080')
  stubEnvironment({ HTTPS_PROXY: 'proxy.example:3128', NO_PROXY: 'intranet.example, .archive.example' })
  expect(await resolve(system)).toBe('PROXY proxy.example:3128')
  expect(await resolve(system, 'https://x.archive.example/')).toBe('DIRECT')
  expect(await resolve({ mode: 'direct' })).toBe('DIRECT')
})

test('a PAC script is fetched and asked; one that fails means straight', async () => {
  let script = ''
  const server = createServer((_request, response) => void response.end(script))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const pacScript = `http://127.0.0.1:${(server.address() as AddressInfo).port}/proxy.pac`
  const ask = (url?: string) => resolve({ mode: 'pac_script', pacScript }, url)
  script = `function FindProxyForURL(url, host) {
    if (isPlainHostName(host) || isInNet(host, '10.0.0.0', '255.0.0.0')) return 'DIRECT'
    if (dnsDomainIs(host, '.archive.example')) return 'SOCKS5 socks.example:1080; DIRECT'
    if (shExpMatch(url, 'https://*.example/*')) return 'PROXY proxy.example:8080; HTTPS other.example'
    return 'PROXY last.example:1'
  }`
  expect(await ask('http://intranet/')).toBe('DIRECT')
  expect(await ask('http://10.1.2.3/')).toBe('DIRECT')
  expect(await ask('http://11.1.2.3/')).toBe('PROXY last.example:1')
  expect(await ask('http://x.archive.example/')).toBe('SOCKS5 socks.example:1080; DIRECT')
  expect(await ask()).toBe('PROXY proxy.example:8080; HTTPS other.example')
  script = 'function FindProxyForURL() { while (true); }'
  expect(await ask()).toBe('DIRECT')
  script = 'no script'
  expect(await ask()).toBe('DIRECT')
  await new Promise((closed) => server.close(closed))
  expect(await ask()).toBe('DIRECT')
})
