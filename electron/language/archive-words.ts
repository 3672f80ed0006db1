import { entryIn } from '../common/records.ts'
type Language = 'en' | 'sv'
type Words = Readonly<Record<string, string>>

/** Words that ESSArch says in capitals or for machines, in plain ones. */
const en: Words = {
  PENDING: 'Waiting',
  STARTED: 'Under way',
  PROGRESS: 'Under way',
  RETRY: 'Tried again',
  SUCCESS: 'Done',
  FAILURE: 'Failed',
  REVOKED: 'Stopped',
  'Access Workarea': 'In a work area',
  'Ingest Workspace': 'In a work area',
  FAIL: 'Failed',
  signature: 'its content',
  extension: 'its extension',
  Write: 'Written to',
}

const sv: Words = {
  Preparing: 'Förbereds',
  Prepared: 'Förberett',
  Uploading: 'Laddas upp',
  Uploaded: 'Uppladdat',
  Creating: 'Skapas',
  Created: 'Skapat',
  Submitting: 'Levereras',
  Submitted: 'Levererat',
  'At reception': 'I mottagningen',
  Receiving: 'Tas emot',
  Received: 'Mottaget',
  Transferring: 'Överförs',
  Transferred: 'Överfört',
  Transforming: 'Omformas',
  Transformed: 'Omformat',
  Preserving: 'Bevaras',
  Preserved: 'Bevarat',
  'Access Workarea': 'I ett arbetsområde',
  'Ingest Workspace': 'I ett arbetsområde',

  PENDING: 'Väntar',
  STARTED: 'Pågår',
  PROGRESS: 'Pågår',
  RETRY: 'Försöks igen',
  SUCCESS: 'Klart',
  FAILURE: 'Misslyckades',
  REVOKED: 'Stoppat',

  'Create Physical Model': 'Skapa mapparna',
  'Create SIP': 'Skapa SIP',
  'Submit SIP': 'Leverera SIP',
  'Receive SIP': 'Ta emot SIP',
  'Validate SIP': 'Validera SIP',
  'Receive from reception': 'Ta emot från mottagningen',
  'Receive from workspace': 'Ta emot från arbetsområdet',
  'Delete from reception': 'Ta bort ur mottagningen',
  'Preserve Information Package': 'Bevara paketet',
  'Preserve AIP': 'Bevara AIP',
  'Generate AIP': 'Skapa AIP',
  'Validate AIP': 'Validera AIP',
  'Access AIP': 'Hämta AIP',
  'Create DIP': 'Skapa DIP',
  'Create METS': 'Skapa METS',
  'Read from storage': 'Läsa från lagringen',
  'Unpack container': 'Packa upp behållaren',
  'Copy to workspace': 'Kopiera till arbetsområdet',
  'Create Log File': 'Skapa loggfil',
  'Download Schemas': 'Hämta scheman',
  'Generate contentmetadata': 'Skriva innehållets metadata',
  'Generate package-mets': 'Skriva paketets METS',
  'Generate events xml file': 'Skriva händelserna som XML',
  'Add events to xml file': 'Lägga till händelser i XML-filen',
  'Add premis IP object to xml file': 'Lägga till paketet i PREMIS-filen',
  Validation: 'Validering',
  'Validate content-mets': 'Validera innehållets METS',
  'Validate package-mets': 'Validera paketets METS',
  'Validate premis': 'Validera PREMIS',
  'Redundancy check against content-mets': 'Jämföra med innehållets METS',
  'Redundancy check against package-mets': 'Jämföra med paketets METS',
  'Compare premis and content-mets': 'Jämföra PREMIS med innehållets METS',
  'Compare representation premis and mets': 'Jämföra representationens PREMIS med METS',
  'Create container': 'Skapa behållaren',
  'Write to storage': 'Skriva till lagringen',
  'Write to storage methods': 'Skriva till lagringsmetoderna',
  'Write to disk': 'Skriva till disk',
  'Write to search index': 'Skriva till sökindexet',
  'Update IP size and file count': 'Räkna om storlek och antal filer',
  'Update IP path': 'Ange paketets nya plats',
  'Set status to created SIP': 'Ange att SIP är skapat',
  'Set status to created AIP': 'Ange att AIP är skapat',
  'Set status to received': 'Ange att paketet är mottaget',
  'Delete IP directory': 'Ta bort paketets mapp',
  'Mark as archived': 'Märka som arkiverat',
  'Clean up workflow files': 'Städa undan arbetsfiler',
  'Create receipt': 'Skapa kvitto',
  'Notify responsible user': 'Meddela den ansvariga',

  full: 'fullständig',
  partial: 'delvis',
  minimal: 'minimal',
  draft: 'utkast',
  final: 'slutlig',
  latin: 'latinsk',

  Inactive: 'Inaktiv',
  Write: 'Skrivs till',
  Full: 'Fullt',
  FAIL: 'Trasigt',
  Delivered: 'Levererat',
  Placed: 'På plats',
  Collected: 'Hämtat',
  Robot: 'I roboten',

  'Delivery received': 'Leverans mottagen',
  'Delivery registered': 'Leverans registrerad',
  'Delivery rejected': 'Leverans avvisad',
  'Delivery approved': 'Leverans godkänd',
  'Delivery checked': 'Leverans kontrollerad',
  'Received for preservation': 'Mottaget för bevarande',
  'Received the IP for long-term preservation': 'Mottaget för bevarande',
  'AIP created': 'AIP skapat',
  'Created AIP': 'AIP skapat',
  'AIP preserved': 'AIP bevarat',
  'Preserved AIP': 'AIP bevarat',
  'Created SIP': 'SIP skapat',
  'Submitted SIP': 'SIP levererat',
  'Created DIP': 'DIP skapat',
  'Prepared IP': 'Paket förberett',
  'Created IP root directory': 'Paketets mapp skapad',
  'Created physical model': 'Paketets mappar skapade',
  'Ingest order requested': 'Bevarande begärt',
  'Ingest order accepted': 'Bevarande påbörjat',
  'Ingest order completed': 'Bevarande avslutat',
  'Generated XML file': 'XML-fil skriven',
  'Validated XML file': 'XML-fil validerad',
  'Compared XML files': 'XML-filer jämförda',
  'Appended events': 'Händelser tillagda',
  'Redundancy check': 'Jämförelse av innehåll',
  'Redundancy checked': 'Innehåll jämfört',
  'Created TAR': 'TAR skapad',
  'TAR created': 'TAR skapad',
  'Created ZIP': 'ZIP skapad',
  'Deleted files': 'Filer borttagna',
  'Checksum calculated': 'Kontrollsumma beräknad',
  'Calculated checksum': 'Kontrollsumma beräknad',
  'Checksum validated': 'Kontrollsumma kontrollerad',
  'Validated checksum': 'Kontrollsumma kontrollerad',
  'Identified format': 'Format identifierat',
  'Validated file format': 'Filformat validerat',
  'Virus control done': 'Viruskontroll gjord',
  'Written to disk': 'Skrivet till disk',
  'Written to tape': 'Skrivet till band',
  'Data written to disk storage method': 'Skrivet till disk',
  'Data written to tape storage method': 'Skrivet till band',
  'Data read from disk storage method': 'Läst från disk',
  'Data read from tape storage method': 'Läst från band',
  'Moved to workspace': 'Lagt i ett arbetsområde',
  'Moved from workspace': 'Hämtat ur ett arbetsområde',
  'Retrieved from storage': 'Hämtat från lagringen',

  signature: 'innehållet',
  extension: 'filändelsen',
  container: 'behållaren',
}

const words: Record<Language, Words> = { en, sv }

/**
 * What archives call kinds of files, the meanings of codes, and what their forms say of a field. Nobody types
 * these for a state, so the way back from a person's word does not know them.
 */
const kinds: Record<Language, Words> = {
  en: {
    corporatebody: 'corporate body',
    Enabled: 'in use',
    Disabled: 'not in use',
    ReadOnly: 'read only',
    Migrate: 'being moved away',
    DISK: 'disk',
    TAPE: 'tape',
    'Old read only': 'old, read only',
    'Media label': 'label on the medium',
    'AIC support': 'takes AICs',
  },
  sv: {
    image: 'bild',
    audio: 'ljud',
    video: 'film',
    'e-mail': 'e-post',
    table: 'tabell',
    document: 'dokument',
    directory: 'mapp',
    archive: 'arkiv',
    component: 'beskrivningsenhet',
    corporatebody: 'organisation',
    person: 'person',
    family: 'släkt',
    success: 'lyckades',
    failure: 'misslyckades',
    error: 'fel',
    warning: 'varning',
    info: 'upplysning',
    Agreed: 'överenskommen',
    Enabled: 'i bruk',
    Disabled: 'avstängd',
    disabled: 'ingen',
    ReadOnly: 'bara läsbar',
    Migrate: 'under migrering',
    DISK: 'disk',
    TAPE: 'band',
    'Old read only': 'äldre, bara läsbart',
    'Media label': 'etikett på mediet',
    'AIC support': 'tar AIC',
    'How certain the name is, from 0 to 100.': 'Hur säkert namnet är, från 0 till 100.',
    'Number that names the type': 'Numret som typen har',
    'The name used on instances of a structure': 'Namnet på de strukturer som görs efter den',
    'Whether it is a type of archive': 'Om det är en typ av arkiv',
    'Whether it is a type of information package': 'Om det är en typ av paket',
    'ISO 639-1 code': 'Kod enligt ISO 639-1',
    'The id of a country (ISO 3166)': 'Landets id (ISO 3166)',
  },
}

/**
 * A state, a step or an event as archives write it (ESSArch, and the archive that the desk carries), or what
 * a tool names a format by, in a person's language; what is not known is as it was.
 */
export const archiveWord = (word: string, language: Language): string =>
  entryIn(words[language], word) ?? word

/** The same of a kind, of the meaning of a code, or of a form's hint. */
export const archiveKind = (word: string, language: Language): string =>
  entryIn(kinds[language], word) ?? archiveWord(word, language)

/** The word that the archive has for what a person calls so; any other text as it is. */
export const wordOfArchive = (text: string, language: Language): string => {
  const typed = text.trim().toLowerCase()
  const found = Object.entries(words[language]).find(([, said]) => said.toLowerCase() === typed)
  return found?.[0] ?? text
}

type Sentence = (...parts: string[]) => string

const grouped = (digits = '', language: Language) =>
  new Intl.NumberFormat(language === 'en' ? 'en-GB' : language).format(Number(digits))

/**
 * Messages of an ESSArch (its tasks.py), and what the archive that the desk carries says of its work: each
 * with how it is said, of a package or, in quotes, of a step.
 */
const messages: [pattern: RegExp, said: Record<Language, Sentence>][] = [
  [/^(.+) is now preserved$/, { en: (name) => `${name} is preserved`, sv: (name) => `${name} är bevarat` }],
  [
    /^(.+) is now in workspace$/,
    {
      en: (name) => `${name} is fetched from storage, for you to work with`,
      sv: (name) => `${name} är hämtat från lagringen, så att du kan arbeta med det`,
    },
  ],
  [/^(.+) has been deleted$/, { en: (name) => `${name} is deleted`, sv: (name) => `${name} är borttaget` }],
  [/^Created (.+)$/, { en: (name) => `${name} is made`, sv: (name) => `${name} är skapat` }],
  [/^Submitted (.+)$/, { en: (name) => `${name} is submitted`, sv: (name) => `${name} är levererat` }],
  [/^Received (.+)$/, { en: (name) => `${name} is received`, sv: (name) => `${name} är mottaget` }],
  [/^Preserving (.+)$/, { en: (name) => `${name} is being preserved`, sv: (name) => `${name} bevaras` }],
  [
    /^Failed to preserve (.+)$/,
    { en: (name) => `${name} was not preserved`, sv: (name) => `${name} blev inte bevarat` },
  ],
  [
    /^"([^"]+)" failed$/,
    {
      en: (name) => `“${archiveWord(name ?? '', 'en')}” failed`,
      sv: (name) => `”${archiveWord(name ?? '', 'sv')}” misslyckades`,
    },
  ],
  [
    /^(.+) could not be preserved: (.+)$/,
    {
      en: (name, why) => `${name} could not be preserved: ${archiveMessage(why ?? '', 'en')}`,
      sv: (name, why) => `${name} kunde inte bevaras: ${archiveMessage(why ?? '', 'sv')}`,
    },
  ],
  [
    /^(.+) was not accepted: (.+)$/,
    {
      en: (name, why) => `${name} was not accepted: ${why}`,
      sv: (name, why) => `${name} togs inte emot: ${why}`,
    },
  ],
  [
    /^(.+) waits and is tried again: (.+)$/,
    {
      en: (name, why) => `${name} waits and is tried again: ${why}`,
      sv: (name, why) => `${name} väntar och försöks igen: ${why}`,
    },
  ],
  [
    /^(.+) is left in the ingest folder: (.+)$/,
    {
      en: (name, why) => `${name} is left in the ingest folder: ${why}`,
      sv: (name, why) => `${name} ligger kvar i inkorgen: ${why}`,
    },
  ],
  [
    /^Not written to tape: (.+)$/,
    {
      en: (why) => `Not written to tape: ${archiveMessage(why ?? '', 'en')}`,
      sv: (why) => `Inte skrivet till band: ${archiveMessage(why ?? '', 'sv')}`,
    },
  ],
  [
    /^no room left on (\S+) for (.+)$/,
    {
      en: (medium, size) => `no room left on ${medium} for ${size}`,
      sv: (medium, size) => `ingen plats kvar på ${medium} för ${size}`,
    },
  ],
  [
    /^(\S+) was not read back, since no tape drive was free$/,
    {
      en: (medium) => `${medium} was not read back, since no tape drive was free`,
      sv: (medium) => `${medium} återlästes inte, eftersom ingen bandstation var ledig`,
    },
  ],
  [
    /^(\S+) could not be read: three tries, two drives$/,
    {
      en: (medium) => `${medium} could not be read: three tries, two drives`,
      sv: (medium) => `${medium} kunde inte läsas: tre försök, två bandstationer`,
    },
  ],
  [
    /^Preserved in (\d+) copies$/,
    { en: (copies) => `Preserved in ${copies} copies`, sv: (copies) => `Bevarat i ${copies} kopior` },
  ],
  [
    /^Generation (\d+) of (.+)$/,
    { en: (nth, name) => `Generation ${nth} of ${name}`, sv: (nth, name) => `Generation ${nth} av ${name}` },
  ],
  [
    /^Written to (\S+), read back and equal$/,
    {
      en: (medium) => `Written to ${medium}, read back and equal`,
      sv: (medium) => `Skrivet till ${medium}, återläst och identiskt`,
    },
  ],
  [
    /^Written as (\S+), (\d+) bytes, sha256 ([0-9a-f]+)$/,
    {
      en: (file, bytes, digest) => `${file}, ${grouped(bytes, 'en')} bytes, SHA-256 ${digest}`,
      sv: (file, bytes, digest) => `${file}, ${grouped(bytes, 'sv')} byte, SHA-256 ${digest}`,
    },
  ],
  [
    /^The package is complete and valid: (\d+) files, (\d+) bytes$/,
    {
      en: (files, bytes) =>
        `The package is complete and valid: ${grouped(files, 'en')} files, ${grouped(bytes, 'en')} bytes`,
      sv: (files, bytes) =>
        `Paketet är fullständigt och giltigt: ${grouped(files, 'sv')} filer, ${grouped(bytes, 'sv')} byte`,
    },
  ],
]

/** What an archive told a person, in plain words of their language; what is not known is as it was. */
export const archiveMessage = (text: string, language: Language): string => {
  for (const [pattern, said] of messages) {
    const [, ...parts] = pattern.exec(text) ?? []
    if (parts.length > 0) return said[language](...parts)
  }
  return text
}
