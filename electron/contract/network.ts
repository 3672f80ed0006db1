import * as v from 'valibot'
import { command, query } from './define.ts'
import { archiveId } from './ids.ts'

/** How an archive is reached. */
export interface Network {
  /** The proxy on the way, as host and port; null where there is none. */
  proxy: string | null
  /** Who one is at that proxy; null where it never asked. */
  username: string | null
}

const Proxy = v.object({ proxy: v.pipe(v.string(), v.minLength(1), v.maxLength(300)) })

/** The proxies between this computer and archives. No member gives a secret. */
export const network = {
  status: query(v.object({ archive: archiveId })).returns<Network>(),
  signIn: command(
    v.object({
      ...Proxy.entries,
      username: v.pipe(v.string(), v.minLength(1), v.maxLength(300)),
      password: v.pipe(v.string(), v.maxLength(2000)),
    }),
  ).returns<void>(),
  signOut: command(Proxy).returns<void>(),
}
