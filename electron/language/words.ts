/** What main says by itself: notices, menus, dialogs. The page has its own, larger dictionary. */
const en = {
  notices: {
    preserved: 'Preserved',
    failed: 'Needs you',
    news: 'From the archive',
    several: (count: number, failures: number) =>
      failures > 0 ? `${count} messages, ${failures} of them about failures` : `${count} messages`,
    missed: (count: number) =>
      count === 1 ? '1 message may not have been shown' : `${count} messages may not have been shown`,
    stopped: (name: string) => `${name}: stopped, and does not go on by itself`,
    refused: (name: string) => `${name}: the archive did not take it`,
    ready: 'Ready',
    made: (name: string) => `${name}: the dissemination package is made`,
    searchTitle: 'Stored search',
    searchNews: (name: string, count: number) => `${name}: ${count} new`,
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
      searches: 'Choose a file of stored searches',
    },
    confirm: 'Choose',
    save: {
      findings: 'Save the findings',
      receipt: 'Save the receipt',
      report: 'Save the report',
      list: 'Save the list',
      slips: 'Save the slips',
      searches: 'Save the searches',
      file: 'Save the file',
      journal: 'Save the journal',
    },
  },
  leave: {
    title: (count: number) =>
      count === 1 ? 'One item has not been sent yet.' : `${count} items have not been sent yet.`,
    detail: 'They are kept, and sent when Lectern runs again.',
    quit: 'Quit',
    stay: 'Stay',
  },
  menu: {
    file: 'File',
    edit: 'Edit',
    view: 'View',
    help: 'Help',
    refresh: 'Fetch again',
    log: 'Show log',
    open: 'Open Lectern',
    quit: 'Quit Lectern',
    quiet: 'Hold notices back',
    unread: (n: number) => (n === 1 ? '1 unread' : `${n} unread`),
  },
}

export type Words = typeof en

const sv: Words = {
  notices: {
    preserved: 'Bevarat',
    failed: 'Behöver dig',
    news: 'Från arkivet',
    several: (count, failures) =>
      failures > 0 ? `${count} meddelanden, ${failures} av dem om fel` : `${count} meddelanden`,
    missed: (count) =>
      count === 1 ? '1 meddelande har kanske inte visats' : `${count} meddelanden har kanske inte visats`,
    stopped: (name) => `${name}: stannade och går inte vidare av sig själv`,
    refused: (name) => `${name}: arkivet tog inte emot det`,
    ready: 'Klart',
    made: (name) => `${name}: utlämnandepaketet är gjort`,
    searchTitle: 'Sparad sökning',
    searchNews: (name, count) => `${name}: ${count} nya`,
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
      searches: 'Välj en fil med sparade sökningar',
    },
    confirm: 'Välj',
    save: {
      findings: 'Spara resultatet',
      receipt: 'Spara kvittot',
      report: 'Spara rapporten',
      list: 'Spara listan',
      slips: 'Spara lapparna',
      searches: 'Spara sökningarna',
      file: 'Spara filen',
      journal: 'Spara journalen',
    },
  },
  leave: {
    title: (count) => (count === 1 ? 'En sak är inte skickad än.' : `${count} saker är inte skickade än.`),
    detail: 'De finns kvar och skickas när Lectern körs igen.',
    quit: 'Avsluta',
    stay: 'Stanna',
  },
  menu: {
    file: 'Arkiv',
    edit: 'Redigera',
    view: 'Visa',
    help: 'Hjälp',
    refresh: 'Hämta igen',
    log: 'Visa logg',
    open: 'Öppna Lectern',
    quit: 'Avsluta Lectern',
    quiet: 'Håll inne notiser',
    unread: (n) => `${n} olästa`,
  },
}

/** The words of a language; a setting of "system" follows the locale of the computer. */
export const wordsIn = (setting: 'system' | 'en' | 'sv', locale: string): Words =>
  languageOf(setting, locale) === 'sv' ? sv : en

export const languageOf = (setting: 'system' | 'en' | 'sv', locale: string): 'en' | 'sv' =>
  setting === 'system' ? (/^sv\b/i.test(locale) ? 'sv' : 'en') : setting
