/** One thing, and the one term that it has in each language. */
interface Term {
  en: string
  sv: string
  /** Terms that say the same, or seem to: no text uses them. */
  not: { en?: readonly RegExp[]; sv?: readonly RegExp[] }
}

/** The terms that a text could say in several ways (OAIS, PREMIS, E-ARK and Swedish archives). */
export const glossary: readonly Term[] = [
  { en: 'package', sv: 'paket', not: { sv: [/\binformationspaket/i] } },
  { en: 'dissemination package', sv: 'utlämnandepaket', not: { sv: [/utlämningspaket/i] } },
  { en: 'archival creator', sv: 'arkivbildare', not: { sv: [/arkivskapare/i] } },
  { en: 'tag', sv: 'nod', not: { sv: [/\btagg(ar|en|arna)?\b/i] } },
  { en: 'location', sv: 'placering', not: {} },
  { en: 'delivery', sv: 'leverans', not: { sv: [/\binleverans/i] } },
  {
    en: 'submitting organization',
    sv: 'levererande organisation',
    not: { sv: [/inlämnande organisation/i] },
  },
  { en: 'batch', sv: 'omgång', not: { sv: [/\bsats(en|er|erna)?\b/i] } },
  { en: 'slip', sv: 'beställningssedel', not: { sv: [/\blapp(en|ar|arna)?\b/i] } },
  { en: 'walking list', sv: 'framtagningslista', not: { sv: [/rundtur/i] } },
  {
    en: 'in the reading room',
    sv: 'framme i läsesalen',
    not: { en: [/\b[Oo]n the desk\b/], sv: [/på disken\b(?! med)/i] },
  },
  { en: 'ingest folder', sv: 'inkorg', not: {} },
  { en: 'reception folder', sv: 'mottagningsmapp', not: {} },
  { en: 'at risk', sv: 'i riskzonen', not: { sv: [/farozon/i] } },
  { en: 'progress', sv: 'förlopp', not: { sv: [/framsteg/i] } },
  { en: 'import', sv: 'importera', not: { en: [/\btake in a file\b/i] } },
  { en: 'as of', sv: 'hämtat', not: { sv: [/^läget$/i] } },
  { en: 'file extension', sv: 'filändelse', not: { sv: [/\bett filändelse/i] } },
]

export const leftInEnglish = /\b(Preserved|Placed|Write|Success|Pending|Failed|Draft|Outbox|Settings)\b/
