import { parseArgs } from 'node:util'
import { scratch } from '../support/scratch.ts'
import { fuzz } from './fuzz.ts'

// npm run fuzz [-- --requests 1000000 --seed 1]
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
})
using place = scratch()
const began = performance.now()
const { failures, broken, statuses, memoryMb, ...counts } = await fuzz(place.folder, {
  requests: Number(values.requests),
  seed: Number(values.seed),
  onProgress: (sent) =>
    console.error(`${sent} requests, ${Math.round((performance.now() - began) / 1000)} s`),
})
console.log('Answers by their status (0: the connection was closed):')
console.table([statuses])
console.table([{ ...counts, broken: broken.length, ...memoryMb }])
for (const failure of failures.slice(0, 30)) console.log(failure)
process.exitCode = failures.length > 0 ? 1 : 0
