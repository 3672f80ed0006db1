/** One thing, and the one term that it has in each language. */
interface Term {
  en: string
  sv: string
  /** Terms that say the same, or seem to: no text uses them. */
  not: { en?: readonly RegExp[]; sv?: readonly RegExp[] }
}

/** The terms that a text could say in several ways (OAIS, PREMIS, E-ARK and Swedish archives). */
export const glossary: readonly Term[] = [
  { en: 'package', sv: 'paket', not: { sv: [/informationspaket/i] } },
  { en: 'dissemination package', sv: 'utlämnandepaket', not: { sv: [/utlämningspaket/i] } },
  {
    en: 'archival creator',
    sv: 'arkivbildare',
    not: { en: [/^Created by$/, /^Archivist$/], sv: [/arkivskapare/i, /^Skapare$/] },
  },
  // ISAD(G), as Swedish archives have it; “node” is a word of trees.
  {
    en: 'unit of description',
    sv: 'beskrivningsenhet',
    not: {
      en: [/\bnodes?\b(?! in ESSArch)/i, /\btag versions?\b/i],
      sv: [/\bnod(er|en|erna|typ|typer)?\b(?! i ESSArch)/i, /\btagg(ar|en|arna)?\b/i],
    },
  },
  { en: 'location', sv: 'placering', not: {} },
  { en: 'delivery', sv: 'leverans', not: { sv: [/\binleverans/i] } },
  {
    en: 'submit',
    sv: 'leverera',
    not: {
      en: [/\bbring(ing)? packages?\b/i],
      sv: [/\binlämna/i, /\bläm(na|nar|nas|nade|nades|nat|nats) in\b/i],
    },
  },
  { en: 'submission package', sv: 'leveranspaket', not: { sv: [/inlämningspaket/i] } },
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
  {
    en: 'work area',
    sv: 'arbetsområde',
    not: { en: [/\bworkspaces?\b/i], sv: [/arbetsyt(a|an|or|orna)\b/i] },
  },
  { en: 'intermediate storage', sv: 'mellanlager', not: { sv: [/\bcach(e|en|ens|ar)\b/i] } },
  { en: 'container', sv: 'behållare', not: { sv: [/\bcontainer/i] } },
  { en: 'sign-in', sv: 'inloggning', not: { en: [/\btokens?\b/i], sv: [/\btoken\b/i] } },
  { en: 'source', sv: 'källa', not: { en: [/\bTold by\b/], sv: [/berättat av/i] } },
  { en: 'event', sv: 'händelse', not: { sv: [/\bevent(et|en)?\b/i] } },
  { en: 'at risk', sv: 'i riskzonen', not: { sv: [/farozon/i] } },
  { en: 'progress', sv: 'förlopp', not: { sv: [/framsteg/i] } },
  { en: 'import', sv: 'importera', not: { en: [/\btake in a file\b/i] } },
  { en: 'as of', sv: 'hämtat', not: { sv: [/^läget$/i] } },
  // The place "Desk" is "Skrivbord"; nothing belongs to it, or is done at it.
  {
    en: 'desk',
    sv: 'arbetsplats',
    not: {
      sv: [/\bskrivbordets\b/i, /\b(den|det) här skrivbordet\b/i, /arbetsstation/i, /\bvid skrivbordet\b/i],
    },
  },
  // A policy is a rule: it requires copies.
  {
    en: 'policy requires',
    sv: 'policyn kräver',
    not: { en: [/\bpolic(y|ies) (wants?|asks? for)\b/i], sv: [/policyn? (vill ha|begär)/i] },
  },
  {
    en: 'stored search',
    sv: 'sparad sökning',
    not: { en: [/\b(saved|kept) search/i], sv: [/\b(lagra|behåll)\w* (en )?sökning/i] },
  },
  // A stored one, of whose news one is told.
  {
    en: 'watched search',
    sv: 'bevakad sökning',
    not: { en: [/\b(followed|monitored) search/i], sv: [/\b(följd|övervakad)\w* sökning/i] },
  },
  { en: 'file extension', sv: 'filändelse', not: { sv: [/\bett filändelse/i] } },
]

/** States, codes and names of places that stayed in English in a Swedish text. */
export const leftInEnglish =
  /\b(Preserved|Preserving|Placed|Write|Success|SUCCESS|Pending|PENDING|Failed|FAIL|FAILURE|Draft|Outbox|Settings|Uploaded|Submitted|Received|Created|Prepared|Delivered|Transferred)\b/
