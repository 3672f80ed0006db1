import path from 'node:path'
import type { Proxies } from '../archives/proxies.ts'
import { background, toProcess } from '../common/background.ts'
import { openUpdates, releaseAddress } from '../updates/updates.ts'
import type { Platform } from './platform.ts'

/** So often it is seen whether it is time to ask: a computer that slept has missed the hour. */
const betweenMs = 3_600_000

/** Asks for newer versions while the desk runs, by the proxies of archives. */
export const openDeskUpdates = (
  { folder, version, now, warn, wantsUpdates, releases, sendNews }: Platform,
  proxies: Proxies,
) => {
  const updates = openUpdates({
    version,
    file: path.join(folder, 'updates.json'),
    address: releases ?? releaseAddress,
    now,
    isWanted: wantsUpdates,
    routing: proxies.routing,
    changed: (newer) => sendNews('updates.changed', newer),
    failed: (error) => warn('updates', 'Nothing was learnt of newer versions', error),
  })
  let asking: NodeJS.Timeout | undefined
  return {
    newer: updates.newer,
    /** Somebody has just said whether it is to be asked. */
    chosen: () => {
      sendNews('updates.changed', updates.newer())
      background(updates.ask(), toProcess)
    },
    begin: () => {
      asking = setInterval(() => background(updates.ask(), toProcess), betweenMs).unref()
      background(updates.ask(), toProcess)
    },
    stop: () => {
      clearInterval(asking)
      background(updates.stop(), toProcess)
    },
  }
}
