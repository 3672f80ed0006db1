/** What main says by itself: notices, menus, dialogs. The page has its own, larger dictionary. */
const en = {
  notices: {
    preserved: 'Preserved',
    failed: 'Needs you',
    news: 'From the archive',
    several: (count: number, failures: number) => (failures > 0 ? `${count} messages, ${failures} of them about failures` : `${count} messages`),
    test: 'Notices reach you',
  },
  dialog: {
    choose: {
      folder: 'Add a folder to the transfer',
      files: 'Add files to the transfer',
      profile: 'Choose a BagIt profile',
      'check-folder': 'Check a bag in a folder',
      'check-files': 'Check a bag or a file',
      'hand-over': 'Where to put the transfer for another desk',
      'take-over': 'Open a transfer of another desk',
      table: 'Choose a table of transfers',
      'batch-folder': 'Choose a folder with one folder a transfer',
    },
    confirm: 'Choose',
    save: { findings: 'Save the findings', receipt: 'Save the receipt', report: 'Save the report' },
  },
  leave: {
    title: (count: number) => (count === 1 ? 'One item has not been sent yet.' : `${count} items have not been sent yet.`),
    detail: 'They are kept, and sent when Lectern runs again.',
    quit: 'Quit',
    stay: 'Stay',
  },
  menu: { file: 'File', edit: 'Edit', view: 'View', help: 'Help', refresh: 'Fetch again', log: 'Show log', open: 'Open Lectern', quit: 'Quit Lectern' },
}

export type Words = typeof en

const sv: Words = {
  notices: {
    preserved: 'Bevarat',
    failed: 'Behöver dig',
    news: 'Från arkivet',
    several: (count, failures) => (failures > 0 ? `${count} meddelanden, ${failures} av dem om fel` : `${count} meddelanden`),
    test: 'Notiser når fram till dig',
  },
  dialog: {
    choose: {
      folder: 'Lägg till en mapp i överföringen',
      files: 'Lägg till filer i överföringen',
      profile: 'Välj en BagIt-profil',
      'check-folder': 'Kontrollera en bag i en mapp',
      'check-files': 'Kontrollera en bag eller en fil',
      'hand-over': 'Var överföringen ska läggas för en annan arbetsplats',
      'take-over': 'Öppna en överföring från en annan arbetsplats',
      table: 'Välj en tabell med överföringar',
      'batch-folder': 'Välj en mapp med en mapp per överföring',
    },
    confirm: 'Välj',
    save: { findings: 'Spara resultatet', receipt: 'Spara kvittot', report: 'Spara rapporten' },
  },
  leave: {
    title: (count) => (count === 1 ? 'En sak är inte skickad än.' : `${count} saker är inte skickade än.`),
    detail: 'De finns kvar och skickas när Lectern körs igen.',
    quit: 'Avsluta',
    stay: 'Stanna',
  },
  menu: { file: 'Arkiv', edit: 'Redigera', view: 'Visa', help: 'Hjälp', refresh: 'Hämta igen', log: 'Visa logg', open: 'Öppna Lectern', quit: 'Avsluta Lectern' },
}

/** The words of a language; a setting of "system" follows the locale of the computer. */
export const wordsIn = (setting: 'system' | 'en' | 'sv', locale: string): Words => (languageOf(setting, locale) === 'sv' ? sv : en)

export const languageOf = (setting: 'system' | 'en' | 'sv', locale: string): 'en' | 'sv' => (setting === 'system' ? (/^sv\b/i.test(locale) ? 'sv' : 'en') : setting)
