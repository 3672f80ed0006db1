import { once } from 'node:events'
import os from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const script = new URL('../../../../electron/common/lower-priority.ts', import.meta.url).href

test.runIf(process.platform === 'linux')(
  'a thread lowers its priority, and that of nobody else',
  async () => {
    const before = os.getPriority(0)
    const worker = new Worker(
      `import(${JSON.stringify(script)}).then(({ lowerPriority }) => {
      lowerPriority()
      require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority(0))
    })`,
      { eval: true },
    )
    expect(await once(worker, 'message')).toEqual([Math.max(5, before)])
    expect(os.getPriority(0)).toBe(before)
    await worker.terminate()
  },
)
