import { parseArgs } from 'node:util'
import { scratch } from '../archive.ts'
import { torture } from './torture.ts'

// npm run torture [-- --kills 1000 --seed 1 --forgetful]
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    // A desk that forgets what it sent: the torture has to find what that doubles.
    forgetful: { type: 'boolean', default: false },
  },
})
using place = scratch()
const onKill = (kill: number) => {
  if (kill % 50 === 0) console.error(`${kill} kills`)
}
const verdict = await torture(place.folder, {
  seed: Number(values.seed),
  kills: Number(values.kills),
  isForgetful: values.forgetful,
  onKill,
})
const { faults, blows, bugs, lost, duplicates, wrong, stuck, invented, ...counts } = verdict
const troubles = { lost, duplicates, wrong, stuck, invented, bugs }
console.log('Survived so many faults of each kind:')
console.table([faults])
console.table([blows])
console.table([
  { ...counts, ...Object.fromEntries(Object.entries(troubles).map(([name, all]) => [name, all.length])) },
])
for (const [name, all] of Object.entries(troubles))
  for (const it of all.slice(0, 20)) console.log(`${name}: ${it}`)
process.exitCode = Object.values(troubles).some((all) => all.length > 0) ? 1 : 0
