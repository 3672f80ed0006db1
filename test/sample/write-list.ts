import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sample } from './places.ts'

/** A package: where its files are, and how many days before the first start each generation was preserved. */
interface Wanted {
  folder: string
  identifier: string
  label: string
  archivist: string
  submitter: string
  /** The place of its submission agreement among those of the sample. */
  agreement: number
  generations: { daysAgo: number; without?: string[] }[]
}

const packages: Wanted[] = [
  {
    folder: 'oxen',
    identifier: 'SE/STA/3001',
    label: 'Kv. Oxen 4, ritningar 1938–1951',
    archivist: 'Byggnadsnämnden',
    submitter: 'Per Wallin',
    agreement: 0,
    generations: [
      { daysAgo: 412 },
      { daysAgo: 96 },
      { daysAgo: 1, without: ['ritningar/1938/sektion A–A.tif'] },
    ],
  },
  {
    folder: 'klassfoton',
    identifier: 'SE/STA/3002',
    label: 'Repslagargatans folkskola, klassfotografier 1902–1931',
    archivist: 'Folkskolestyrelsen',
    submitter: 'Maja Lindqvist',
    agreement: 0,
    generations: [{ daysAgo: 380 }, { daysAgo: 3 }],
  },
  {
    folder: 'norra-kajen',
    identifier: 'SE/STA/3003',
    label: 'Northern quay: map of 1947 and photographs',
    archivist: 'Survey Office',
    submitter: 'Henry Doyle',
    agreement: 0,
    generations: [{ daysAgo: 340 }],
  },
  {
    folder: 'hamnkontoret',
    identifier: 'SE/STA/3004',
    label: 'Harbour Office, letters and minutes 1938',
    archivist: 'Harbour Office',
    submitter: 'Ruth Cavendish',
    agreement: 1,
    generations: [{ daysAgo: 301 }],
  },
  {
    folder: 'e-post',
    identifier: 'SE/STA/3005',
    label: 'Harbour Office, mailbox 2009–2014',
    archivist: 'Harbour Office',
    submitter: 'Ruth Cavendish',
    agreement: 1,
    generations: [{ daysAgo: 254 }],
  },
  {
    folder: 'rakenskaper',
    identifier: 'SE/STA/3006',
    label: 'Hamnstyrelsens räkenskaper 1938–1942',
    archivist: 'Drätselkammaren',
    submitter: 'Tomas Ek',
    agreement: 1,
    generations: [{ daysAgo: 221 }, { daysAgo: 40 }],
  },
  {
    folder: 'bygglov',
    identifier: 'SE/STA/3007',
    label: 'Register of building permits 1938–1951, database',
    archivist: 'Building Inspectorate',
    submitter: 'Ingrid Sjöström',
    agreement: 2,
    generations: [{ daysAgo: 187 }],
  },
  {
    folder: 'ostra-hamnen',
    identifier: 'SE/STA/3008',
    label: 'Voices of the harbour: interviews and a film',
    archivist: 'City Museum',
    submitter: 'Maja Lindqvist',
    agreement: 2,
    generations: [{ daysAgo: 120 }],
  },
  {
    folder: 'webbplats',
    identifier: 'SE/STA/3009',
    label: 'Stadens webbplats, juni 2024',
    archivist: 'City Council',
    submitter: 'Henry Doyle',
    agreement: 2,
    generations: [{ daysAgo: 75 }],
  },
  {
    folder: 'forteckning',
    identifier: 'SE/STA/3010',
    label: 'Förteckning över Byggnadsnämndens arkiv',
    archivist: 'Byggnadsnämnden',
    submitter: 'Astrid Åkesson',
    agreement: 1,
    generations: [{ daysAgo: 44 }],
  },
  {
    folder: 'vattenverket',
    identifier: 'SE/STA/3011',
    label: 'Water works, pump logs of November 2009',
    archivist: 'Water Works',
    submitter: 'Tomas Ek',
    agreement: 2,
    generations: [{ daysAgo: 9 }],
  },
  {
    folder: 'bergstrom',
    identifier: 'SE/STA/3012',
    label: 'H. Bergström, diskette and portrait',
    archivist: 'Stadsmuseet',
    submitter: 'Astrid Åkesson',
    agreement: 0,
    generations: [{ daysAgo: 0 }],
  },
]

interface Listed {
  /** The path in the package. */
  name: string
  /** The generation with which it came, which is the folder that it lies in. */
  from: number
  bytes: number
  sha256: string
}

/** The files that came, or came anew, with a generation. */
const filesIn = (folder: string, generation: number): Listed[] => {
  const top = path.join(sample, folder, String(generation))
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name)
      const content = readFileSync(file)
      return {
        name: path.relative(top, file).split(path.sep).join('/'),
        from: generation,
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      }
    })
}

/** What each generation holds: what the one before it did, with what came anew, without what was taken. */
const generationsOf = ({ folder, generations }: Wanted) => {
  let files = new Map<string, Listed>()
  return generations.map(({ daysAgo, without = [] }, index) => {
    files = new Map([
      ...files,
      ...filesIn(folder, index + 1).map((file): [string, Listed] => [file.name, file]),
    ])
    for (const name of without) files.delete(name)
    return { daysAgo, files: [...files.values()].sort((a, b) => (a.name < b.name ? -1 : 1)) }
  })
}

/** Writes the list of the packages beside their files: the app reads that, and looks into no folder. */
export const writeList = () => {
  const list = packages.map((wanted) => ({ ...wanted, generations: generationsOf(wanted) }))
  writeFileSync(path.join(sample, 'packages.json'), `${JSON.stringify(list, null, 1)}\n`)
}
