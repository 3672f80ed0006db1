import net from 'node:net'
import vm from 'node:vm'

/** The part of Electron's ProxyConfig that is played. */
export interface ProxyConfig {
  mode?: 'direct' | 'system' | 'fixed_servers' | 'pac_script'
  proxyRules?: string
  proxyBypassRules?: string
  pacScript?: string
}

const words: Record<string, string> = { http: 'PROXY', https: 'HTTPS', socks4: 'SOCKS', socks5: 'SOCKS5' }
const ports: Record<string, string> = { http: '80', https: '443', socks4: '1080', socks5: '1080' }
/** Chromium reaches its own computer straight, whatever is set. */
const isLoopback = (host: string) => /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/i.test(host)

/** "proxy:8080,direct://" as "PROXY proxy:8080; DIRECT". */
const inPacWords = (list: string) =>
  list
    .split(',')
    .map((entry) => {
      const [, scheme = 'http', place = ''] = /^(?:([a-z0-9]+):\/\/)?(.*?)\/?$/i.exec(entry.trim()) ?? []
      if (scheme === 'direct') return 'DIRECT'
      const hasPort = /:\d+$/.test(place)
      return `${words[scheme] ?? 'PROXY'} ${place}${hasPort ? '' : `:${ports[scheme] ?? '80'}`}`
    })
    .join('; ')

const matches = (host: string, pattern: string) =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    'i',
  ).test(host)

const isBypassed = (url: URL, rules: string) =>
  rules
    .split(/[;,]/)
    .map((rule) => rule.trim())
    .filter(Boolean)
    .some((rule) =>
      rule === '<local>'
        ? !url.hostname.includes('.')
        : matches(url.hostname, rule.startsWith('.') ? `*${rule}` : rule) || matches(url.host, rule),
    )

/** "http=a:80;https=b:81" says a proxy for each scheme, "a:80" one for all. */
const byRules = (url: URL, rules: string, bypass: string) => {
  if (isBypassed(url, bypass)) return 'DIRECT'
  const entries = rules.split(';').map((entry) => entry.split('='))
  const found = entries.find(([name, list]) => list === undefined || `${name?.trim()}:` === url.protocol)
  return found ? inPacWords(found[1] ?? found[0] ?? '') : 'DIRECT'
}

const asNumber = (address: string) =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) >>> 0

/** What a PAC script may call; names are not looked up. */
const pacFunctions = {
  isPlainHostName: (host: string) => !host.includes('.'),
  dnsDomainIs: (host: string, domain: string) => host.toLowerCase().endsWith(domain.toLowerCase()),
  localHostOrDomainIs: (host: string, name: string) => host === name || name.startsWith(`${host}.`),
  dnsDomainLevels: (host: string) => host.split('.').length - 1,
  shExpMatch: (text: string, pattern: string) => matches(text, pattern.replaceAll('?', '*')),
  isResolvable: (host: string) => net.isIP(host) !== 0,
  dnsResolve: (host: string) => (net.isIP(host) === 0 ? null : host),
  myIpAddress: () => '127.0.0.1',
  isInNet: (host: string, from: string, mask: string) =>
    net.isIPv4(host) && (asNumber(host) & asNumber(mask)) === (asNumber(from) & asNumber(mask)),
}

const byScript = async (url: URL, address: string) => {
  try {
    const script = await (await fetch(address)).text()
    const context = vm.createContext({ ...pacFunctions })
    const call = `${script}\n;FindProxyForURL(${JSON.stringify(url.href)}, ${JSON.stringify(url.hostname)})`
    return String(vm.runInContext(call, context, { timeout: 2_000 }))
  } catch {
    // As Chromium does with a script that cannot be had or fails.
    return 'DIRECT'
  }
}

/** A Linux without a desktop that says otherwise: the environment. */
const bySystem = (url: URL) => {
  const env = (name: string) => process.env[name.toLowerCase()] ?? process.env[name.toUpperCase()] ?? ''
  const server = env(`${url.protocol.replace(':', '')}_proxy`) || env('all_proxy')
  return server === '' || isBypassed(url, env('no_proxy')) ? 'DIRECT' : inPacWords(server)
}

/** Chromium's switches stand for the system until a program chooses something itself. */
const fromCommandLine = (): ProxyConfig => {
  const value = (name: string) =>
    process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
  if (process.argv.includes('--no-proxy-server')) return { mode: 'direct' }
  const [script, server] = [value('proxy-pac-url'), value('proxy-server')]
  if (script !== undefined) return { mode: 'pac_script', pacScript: script }
  if (server !== undefined)
    return {
      mode: 'fixed_servers',
      proxyRules: server,
      proxyBypassRules: value('proxy-bypass-list') ?? '',
    }
  return { mode: 'system' }
}

export const openProxySettings = () => {
  let config = fromCommandLine()
  return {
    setProxy: (wanted: ProxyConfig) => {
      config = wanted
      return Promise.resolve()
    },
    resolveProxy: async (address: string) => {
      const url = new URL(address)
      if (isLoopback(url.hostname) || config.mode === 'direct') return 'DIRECT'
      if (config.mode === 'fixed_servers')
        return byRules(url, config.proxyRules ?? '', config.proxyBypassRules ?? '')
      if (config.mode === 'pac_script') return byScript(url, config.pacScript ?? '')
      return bySystem(url)
    },
  }
}
