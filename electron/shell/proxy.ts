import { session } from 'electron'
import type { Settings } from '../contract/settings.ts'

type Wanted = Pick<Settings, 'proxy' | 'proxyAddress' | 'proxyScript'>

const configOf = ({ proxy, proxyAddress, proxyScript }: Wanted): Electron.ProxyConfig => {
  if (proxy === 'none') return { mode: 'direct' }
  if (proxy === 'address' && proxyAddress !== '') return { mode: 'fixed_servers', proxyRules: proxyAddress }
  if (proxy === 'script' && proxyScript !== '') return { mode: 'pac_script', pacScript: proxyScript }
  return { mode: 'system' }
}

/**
 * Chromium finds the proxies: it knows the system's settings, its own switches, and how PAC scripts are run.
 */
export const openProxyResolver = () => {
  // Until it is told otherwise Chromium follows the system and its command line; being told "system" would
  // make it forget the latter.
  let followed = JSON.stringify(configOf({ proxy: 'system', proxyAddress: '', proxyScript: '' }))
  let following = Promise.resolve()
  return {
    /** Takes what the settings say. Whether that is something new. */
    follow: (wanted: Wanted): boolean => {
      const config = configOf(wanted)
      if (followed === JSON.stringify(config)) return false
      followed = JSON.stringify(config)
      const take = () => session.defaultSession.setProxy(config)
      following = following.then(take, take)
      return true
    },
    /** How a URL is reached, in the words of a PAC script. */
    resolve: async (url: string): Promise<string> => {
      await following
      return session.defaultSession.resolveProxy(url)
    },
  }
}
