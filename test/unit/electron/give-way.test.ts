import { once } from 'node:events'
import os from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const script = new URL('../../../electron/common/give-way.ts', import.meta.url).href

test.runIf(process.platform === 'linux')(
  'a thread gives way to others, and nobody else with it',
  async () => {
    const before = os.getPriority(0)
    const worker = new Worker(
      `import(${JSON.stringify(script)}).then(({ giveWay }) => {
      giveWay()
      require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority(0))
    })`,
      { eval: true },
    )
    expect(await once(worker, 'message')).toEqual([Math.max(5, before)])
    expect(os.getPriority(0)).toBe(before)
    await worker.terminate()
  },
)
