import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { ZipFile } from 'yazl'
import { chance, range, type Place } from './tools.ts'

const mtime = new Date('2009-11-03T14:20:00Z')

type Files = Record<string, Buffer>

const tarOf = async (files: Files): Promise<Buffer> => {
  const tar = pack()
  for (const [name, content] of Object.entries(files)) tar.entry({ name, mtime }, content)
  tar.finalize()
  return buffer(tar)
}

const zipTo = async (file: string, files: Files) => {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(content, name, { mtime })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(file))
}

const twoDigits = (number: number) => String(number).padStart(2, '0')

/** What a pump wrote into its log on a day: a line every ten minutes, and a trouble in the night. */
const pumpLog = (day: number, isoDay: string): string => {
  const next = chance(day)
  return range(144)
    .map((ten) => {
      const time = `${twoDigits(Math.floor(ten / 6))}:${twoDigits((ten % 6) * 10)}:00`
      const flow = (38 + Math.sin(ten / 23) * 9 + next() * 2).toFixed(1)
      return ten === 17 && day % 3 === 0
        ? `${isoDay} ${time} WARN  pump 2 vibration above limit, speed lowered`
        : `${isoDay} ${time} INFO  pump ${1 + (ten % 3)} flow ${flow} l/s pressure ` +
            `${(4 + next() * 0.3).toFixed(2)} bar`
    })
    .join('\n')
}

const dayOf = (number: number) => `2009-11-${twoDigits(number)}`

/** The disks of the water works: logs, and archives in archives. */
export const makeDisks = async (place: Place) => {
  const days = range(12).map((index) => index + 1)
  const logs: Files = Object.fromEntries(
    days.map((day) => [`pumpar/${dayOf(day)}.log`, Buffer.from(`${pumpLog(day, dayOf(day))}\n`)]),
  )
  const readme: Files = {
    'läs mig.txt': Buffer.from('Loggar från pumphuset, november 2009. Disketten är kopierad som den var.\n'),
  }
  const inner = await tarOf({ ...readme, ...logs })
  writeFileSync(place('1/pumpar 2009-11.tar'), inner)
  writeFileSync(place('1/pumpar 2009-11.tar.gz'), gzipSync(inner))
  await zipTo(place('1/disk 3.zip'), {
    ...readme,
    'november/pumpar 2009-11.tar.gz': gzipSync(inner),
    'oktober/avläsning.csv': Buffer.from('dag,pump 1,pump 2,pump 3\n1,3284,3301,3290\n2,3279,3288,3295\n'),
  })
  writeFileSync(
    place('1/larm 2009.log.gz'),
    gzipSync(
      days
        .filter((day) => day % 3 === 0)
        .map((day) => `${dayOf(day)} 02:50:00 WARN  pump 2 vibration above limit\n`)
        .join(''),
    ),
  )
  writeFileSync(
    place('1/pumphuset 2009-11.log'),
    `${days.map((day) => pumpLog(day, dayOf(day))).join('\n')}\n`,
  )
}

/** What was in a drawer: a file of no known kind, one without a name's end, an empty one. */
export const makeEstate = (place: Place, portrait: string) => {
  const next = chance(77)
  const catalogue = Buffer.alloc(6144)
  catalogue.write('BERGKART', 'latin1')
  range(90).forEach((card) => {
    const at = 64 + card * 64
    catalogue.writeUInt16LE(card + 1, at)
    catalogue.writeUInt16LE(1902 + Math.floor(next() * 40), at + 2)
    catalogue.write(`PLÅT ${card + 1}`, at + 8, 'latin1')
    catalogue.writeFloatLE(next() * 24, at + 40)
  })
  writeFileSync(place('1/diskett/KARTOTEK.BKX'), catalogue)
  writeFileSync(
    place('1/diskett/BREV'),
    Buffer.from('K\xe4ra syster! Pl\xe5tarna fr\xe5n hamnen ligger i l\xe5da 4.\r\n', 'latin1'),
  )
  writeFileSync(place('1/diskett/TOM.TMP'), '')
  writeFileSync(place('1/porträtt/Bergström med kamera.jpg'), readFileSync(portrait))
}
