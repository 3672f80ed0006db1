import { parseArgs } from 'node:util'
import { scratch } from '../archive.ts'
import { torture } from './torture.ts'

// npm run torture [-- --kills 1000 --seed 1]
const { values } = parseArgs({ options: { kills: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } } })
using place = scratch()
const verdict = await torture(place.folder, { seed: Number(values.seed), kills: Number(values.kills) })
const { lost, duplicates, wrong, undecided, ...counts } = verdict
console.table([{ ...counts, lost: lost.length, duplicates: duplicates.length, wrong: wrong.length, undecided: undecided.length }])
for (const it of [...lost, ...duplicates, ...wrong, ...undecided].slice(0, 20)) console.log(it)
process.exitCode = lost.length + duplicates.length + wrong.length + undecided.length > 0 ? 1 : 0
