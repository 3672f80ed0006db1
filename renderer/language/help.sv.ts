import { number } from './formatters.ts'
import type { HelpWords } from './help.en.ts'
import { termsSv } from './terms.sv.ts'

export const helpSv: HelpWords = {
  help: {
    open: 'Handledning till den här platsen',
    button: 'Handledning',
    contents: 'Handledningens innehåll',
    toContents: 'Alla sidor i handledningen',
    search: 'Sök i handledningen',
    found: (count) => (count === 1 ? '1 ställe hittat' : `${number(count, 'sv')} ställen hittade`),
    none: (typed) => `Handledningen säger inget om ”${typed}”.`,
    noneTeach: 'Pröva ett enda ord, eller början på ett.',
    missing: 'Handledningen har ingen sådan sida.',
    missingTeach: 'Den kan ha fått ett annat namn. Leta efter den bland sidorna.',
    next: 'Nästa:',
    more: 'Mer i handledningen',
    whatIs: (word) => `Vad är detta: ${word}`,
  },
  about: {
    title: 'Om Lectern',
    what:
      'Skrivbordet i en läsesal: paket, kopior, överföringar och beställningar i en tjänst för ' +
      'digitalt bevarande.',
    licence: 'Licens',
    others: 'Vad det är gjort av',
    othersHint:
      'De här paketen är en del av programmet. Licenserna för Electron och Chromium ligger som filer ' +
      'bredvid ' +
      'programmet.',
  },
  diagnostics: {
    title: 'Diagnostik',
    hint:
      'En fil till den som hjälper dig: versioner, inställningar, antal och hur något har misslyckats. Den ' +
      'nämner inget arkiv, ingen person, inget paket och ingen mapp. Du ser allt innan det sparas, och det ' +
      'skickas ingenstans.',
    show: 'Visa vad som skulle stå i den',
    save: 'Spara som fil',
    saved: 'Diagnostiken är sparad.',
  },
  updates: {
    wanted: 'Fråga en gång om dagen om det finns en nyare version',
    wantedHint: 'Det säger inget om dig och laddar inte ner något.',
    newer: (version) => `Det finns en nyare version: ${version}`,
  },
  terms: termsSv,
}
