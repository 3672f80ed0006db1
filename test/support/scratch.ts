import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A folder that is gone after the test. */
export const scratch = () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-test-'))
  return {
    folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}
