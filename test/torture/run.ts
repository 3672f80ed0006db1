import { parseArgs } from 'node:util'
import { scratch } from '../support/scratch.ts'
import { torture } from './torture.ts'

// npm run torture [-- --kills 1000 --seed 1 --dialect specification|essarch
// --plant lost|double|stuck|invented]
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    dialect: { type: 'string', default: 'specification' },
    // A desk with a fault of its own: the torture has to find it.
    plant: { type: 'string', default: '' },
  },
})
const dialects = ['specification', 'essarch'] as const
const faults = ['', 'lost', 'double', 'stuck', 'invented'] as const
const planted = faults.find((fault) => fault === values.plant)
if (planted === undefined) throw new Error(`--plant is one of ${faults.slice(1).join(', ')}.`)
const dialect = dialects.find((name) => name === values.dialect)
if (dialect === undefined) throw new Error(`--dialect is one of ${dialects.join(', ')}.`)
using place = scratch()
const onKill = (kill: number) => {
  if (kill % 50 === 0) console.error(`${kill} kills`)
}
const verdict = await torture(place.folder, {
  seed: Number(values.seed),
  kills: Number(values.kills),
  planted,
  dialect,
  onKill,
})
const { faults: met, mishaps, bugs, lost, duplicates, wrong, stuck, invented, ...counts } = verdict
const troubles = { lost, duplicates, wrong, stuck, invented, bugs }
console.log('Survived so many faults of each kind:')
console.table([met])
console.table([mishaps])
console.table([
  { ...counts, ...Object.fromEntries(Object.entries(troubles).map(([name, all]) => [name, all.length])) },
])
for (const [name, all] of Object.entries(troubles))
  for (const it of all.slice(0, 20)) console.log(`${name}: ${it}`)
process.exitCode = Object.values(troubles).some((all) => all.length > 0) ? 1 : 0
