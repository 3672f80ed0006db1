import { number } from './formatters.ts'
import type { ComparisonWords } from './comparison.en.ts'

const n = (count: number) => number(count, 'sv')
const files = (count: number) => (count === 1 ? '1 fil' : `${n(count)} filer`)

export const comparisonSv: ComparisonWords = {
  open: 'Jämför',
  openWhat: 'generationer',
  title: (label) => `${label}: jämförda generationer`,
  back: 'Tillbaka till paketet',
  generations: (former, later) => `Generation ${n(former)} bredvid generation ${n(later)}`,
  choose: 'Generationer som jämförs',
  former: 'Före',
  later: 'Efter',
  swap: 'Byt plats på dem',
  generation: (place, day) => `Generation ${n(place)} · ${day}`,
  fields: 'Fält',
  copies: 'Kopior',
  media: 'Medier',
  others: 'Övrigt',
  field: 'Fält',
  differing: (count, all) =>
    count === 0 ? `Alla ${n(all)} fält är lika.` : `${n(count)} av ${n(all)} fält skiljer sig.`,
  allFields: 'Alla fält',
  differs: 'skiljer sig',
  files: 'Filer',
  reading: (done, all) =>
    all === null
      ? `${files(done)} lästa`
      : done === 0
        ? 'Filerna i båda läses.'
        : `${n(done)} av ${files(all)} lästa`,
  stop: 'Stoppa',
  stopped: 'Jämförelsen av filer stoppades.',
  again: 'Jämför filerna igen',
  same: (count) => `${n(count)} lika`,
  none: (count) =>
    count === 0
      ? 'Ingen av dem har några filer.'
      : count === 1
        ? 'Den enda filen är lika.'
        : `Alla ${files(count)} är lika.`,
  changes: {
    added: 'Tillkomna',
    removed: 'Borttagna',
    changed: 'Ändrade',
    redated: 'Bara annat datum',
    respelled: 'Annorlunda skrivet namn',
    unknown: 'Går inte att avgöra',
  },
  became: {
    added: 'Tillkom',
    removed: 'Togs bort',
    changed: 'Ändrades',
    redated: 'Bara annat datum',
    respelled: 'Namnet skrivs annorlunda',
    unknown: 'Går inte att avgöra',
  },
  allChanges: 'Alla som skiljer sig',
  show: 'Visa',
  hints: {
    added: '',
    removed: '',
    changed: '',
    redated: 'Lika stor som förut, med ett annat datum. Arkivet anger ingen kontrollsumma som säger mer.',
    respelled: 'Namnet läses likadant, men är skrivet i en annan normalform av Unicode.',
    unknown: 'Arkivet anger varken kontrollsumma eller storlek.',
  },
  respelled: (former, later) => `namn ${former} → ${later}`,
  comparedBy: (parts) => `Jämfört efter ${parts}.`,
  by: {
    digest: (count) => `kontrollsumma (${files(count)})`,
    'size and date': (count) => `storlek och datum (${files(count)})`,
    size: (count) => `storlek (${files(count)})`,
    nothing: (count) => `ingenting som arkivet anger (${files(count)})`,
  },
  file: 'Fil',
  change: 'Vad som hände',
  openFolder: (name) => `Öppna ${name}`,
  closeFolder: (name) => `Stäng ${name}`,
  more: (count) => `${n(count)} till`,
  digest: 'Kontrollsumma',
  formerDigest: 'Kontrollsumma före',
  laterDigest: 'Kontrollsumma efter',
  kind: 'Slag',
  firstOf: (shown, all) => `De första ${n(shown)} av ${files(all)} som skiljer sig`,
  leftOut: (count) => `… och ${n(count)} till som skiljer sig och inte står med`,
  notCompared: 'Filerna var inte jämförda när detta skrevs ut.',
  unsaid: 'Det här arkivet berättar inte vilka filer som ligger i ett paket. Det är fälten som kan jämföras.',
  unreached: 'Arkivet kan inte nås just nu, och det är där filerna finns. Fälten visas som de finns här.',
  notAllowed: 'Du får inte se filerna i de här paketen. Det är fälten som kan jämföras.',
  notFound: 'Filerna i ett av paketen är inte inom räckhåll för arkivet. Det är fälten som kan jämföras.',
  tooMany: (most) => `Ett av paketen har fler än ${files(most)}: för många för att jämföras här.`,
}
