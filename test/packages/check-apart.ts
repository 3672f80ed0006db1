import { checkPackage } from '../../electron/packaging/formats.ts'
import { memoryOf } from '../bench/measure.ts'
import { scripts } from './packing.ts'

// A check in a process of its own, whose memory is measured: the package, and the text of a profile where
// there is one.
const [file = '', profile = ''] = process.argv.slice(2)
const began = performance.now()
const report = await checkPackage(file, {
  scripts: scripts.check,
  signal: new AbortController().signal,
  // As many as there ever are: on any computer the same is measured.
  threads: 4,
  ...(profile === '' ? {} : { profile }),
})
process.stdout.write(
  JSON.stringify({
    ...report,
    seconds: (performance.now() - began) / 1_000,
    // What the system counts in getrusage(2) begins with the memory of the process that started this one.
    peakMB:
      process.platform === 'linux' ? memoryOf(process.pid, 'VmHWM') : process.resourceUsage().maxRSS / 1_000,
  }),
)
