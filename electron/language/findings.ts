import type { CountedFindings, Finding, FindingCode } from '../contract/findings.ts'
import { ruleText } from './e-ark-rules.ts'

/** What is listed and what is there instead, of a name: "name: listed ≠ found". */
const differing = (detail: string, say: (name: string, listed: string, found: string) => string) => {
  const [, name, listed, found] = /^(.*): (\S+) ≠ (\S+)$/s.exec(detail) ?? []
  return name === undefined || listed === undefined || found === undefined
    ? `: ${detail}`
    : say(name, listed, found)
}

interface OxumWords {
  bytes: (count: string) => string
  files: (count: string) => string
  listed: string
  found: string
}
/** What a Payload-Oxum says and what there is, as bytes and files (RFC 8493 2.2.2): "8.1 ≠ 17.1". */
const ofOxum = (detail: string, { bytes, files, listed, found }: OxumWords) => {
  const counts = /^(\d+)\.(\d+) ≠ (\d+)\.(\d+)$/.exec(detail)
  if (!counts) return `: ${detail}.`
  const countOf = (at: number) => `${bytes(counts[at] ?? '')}, ${files(counts[at + 1] ?? '')}`
  return `. ${listed}: ${countOf(1)}. ${found}: ${countOf(3)}.`
}
const oxumEn: OxumWords = {
  bytes: (count) => (count === '1' ? '1 byte' : `${count} bytes`),
  files: (count) => (count === '1' ? '1 file' : `${count} files`),
  listed: 'Listed',
  found: 'Found',
}
const oxumSv: OxumWords = {
  bytes: (count) => `${count} byte`,
  files: (count) => (count === '1' ? '1 fil' : `${count} filer`),
  listed: 'Angivet',
  found: 'Funnet',
}

/** What a parser says in English, and the same in Swedish; what is rare is told as the parser says it. */
const xmlTroubles: readonly [said: RegExp, sv: string][] = [
  [/^unexpected end/, 'den slutar för tidigt'],
  [/^unclosed tag: (.*)/s, 'elementet $1 avslutas inte'],
  [/^unmatched closing tag: (.*)\.$/s, 'elementet $1 avslutas utan att ha börjat'],
  [/^disallowed character/, 'ett tecken som inte får stå där'],
  [/^malformed character entity/, 'ett &-tecken som inte står för något'],
  [/^text data outside of root node/, 'text utanför rotelementet'],
  [/^duplicate attribute: (.*)\.$/s, 'attributet $1 står två gånger'],
  [/^unbound namespace prefix: (.*)\.$/s, 'prefixet $1 har ingen namnrymd'],
  [/^document must contain a root element/, 'inget rotelement'],
]
const xmlTroubleSv = (detail: string) => {
  const [said, sv] = xmlTroubles.find(([known]) => known.test(detail)) ?? []
  if (said === undefined || sv === undefined) return `: ${detail}`
  const [, name = ''] = said.exec(detail) ?? []
  return `: ${sv.replace('$1', () => name)}.`
}

type Sentences = Record<FindingCode, (detail: string) => string>

/** What else is known, in brackets; nothing where nothing is. */
const ofDetail = (detail: string) => (detail === '' ? '' : ` (${detail})`)

/** A rule of E-ARK that is broken: its identifier, what it wants, and what is there instead. */
const ruleSentence = (detail: string, language: 'en' | 'sv') => {
  const [, rule = detail, value] = /^([A-Z]+\d+)(?:: (.*))?$/s.exec(detail) ?? []
  const text = ruleText(rule, language)
  if (text === '')
    return language === 'sv' ? 'En regel i E-ARK uppfylls inte.' : 'A rule of E-ARK is not met.'
  if (language === 'sv')
    return `${rule} uppfylls inte. Regeln: ${text}.${value === undefined ? '' : ` Här: ”${value}”.`}`
  return `${rule} is not met. The rule: ${text}.${value === undefined ? '' : ` Here: “${value}”.`}`
}

const en: Sentences = {
  'not-a-package': () => 'There is no bagit.txt here and no METS, so this is no package.',
  unreadable: (detail) => `This cannot be read: ${detail}`,
  vanished: (detail) => `“${detail}” was there when the check began, and could not be found any more.`,
  'declaration-mark': () => 'bagit.txt begins with a byte-order mark, which it must not.',
  'declaration-lines': () => 'bagit.txt does not consist of exactly two lines.',
  'declaration-version': () => 'The first line of bagit.txt does not name a version from 0.93 to 1.0.',
  'declaration-encoding': () => 'The second line of bagit.txt does not name an encoding that can be read.',
  'tag-encoding': (detail) => `The bytes of this file are no text in ${detail}.`,
  'tag-mark': () =>
    'This file begins with a byte-order mark, which no tag file in UTF-8 may have (RFC 8493 2.3).',
  'info-line': (detail) => `“${detail}” is not a label, a colon and a value.`,
  'info-repeated': (detail) => `“${detail}” should stand only once.`,
  oxum: (detail) => `Payload-Oxum does not agree with what is there${ofOxum(detail, oxumEn)}`,
  'oxum-repeated': () => 'Payload-Oxum stands more than once, which it must not.',
  'no-payload-folder': () => 'There is no folder “data”.',
  'no-manifest': () => 'There is no payload manifest that can be read (manifest-sha256.txt, for instance).',
  'unknown-algorithm': (detail) =>
    `The checksums here are of a kind that is not known, so they were not checked${ofDetail(detail)}.`,
  'weak-algorithm': (detail) => `${detail} protects against accidents, not against intent.`,
  'bad-line': (detail) => `“${detail}” is not a checksum of the right length and a name.`,
  'unusual-line': (detail) =>
    detail === '' ? 'A line is empty.' : `Read, but not as it is usually written: ${detail}`,
  escapes: (detail) => `“${detail}” leads out of the package; it was not followed.`,
  'not-payload': (detail) => `“${detail}” is not in “data”, where every name of this file must be.`,
  'is-payload': (detail) => `“${detail}” is in “data”, which a tag manifest must not list.`,
  'lists-tag-manifest': (detail) => `“${detail}” is a tag manifest, which no tag manifest lists.`,
  'lists-folder': (detail) => `“${detail}” is a folder; only files are listed.`,
  'listed-twice': (detail) =>
    detail === '' ? 'There are two manifests for one algorithm.' : `“${detail}” is listed twice.`,
  twins: (detail) =>
    `“${detail}” differs from another name only in capitals or in the form of its accents: some ` +
    'systems take both for one.',
  missing: (detail) => `“${detail}” is listed, but it is not there.`,
  'to-fetch': (detail) => `“${detail}” has still to be fetched from the address in fetch.txt.`,
  'fetch-unlisted': (detail) => `“${detail}” is in fetch.txt, but in no manifest.`,
  unlisted: (detail) => `“${detail}” is in the package, but nothing lists it.`,
  counts: (detail) => `The numbers of files that are listed and that are there do not agree: ${detail}.`,
  'too-many-names': (detail) =>
    `There are more than ${detail} names, which is more than a check keeps in mind; the rest was not ` +
    'checked.',
  'manifest-unlisted': (detail) =>
    `“${detail}” is not listed in the tag manifest, so a change of it would not be found.`,
  'tag-unlisted': (detail) => `“${detail}” is not listed in the tag manifest.`,
  mismatch: (detail) =>
    `The content does not have the checksum that is listed${differing(
      detail,
      (name, listed, found) => `: ${name}. Listed: ${listed}. Found: ${found}.`,
    )}`,
  'other-spelling': (detail) => `Found under another spelling than the one that is listed: ${detail}`,
  'name-not-text': (detail) =>
    `The bytes of the name “${detail}” are no UTF-8, so no manifest can list it and other systems ` +
    'read it differently.',
  'too-deep': (detail) => `“${detail}” lies so deep that this system cannot open it.`,
  'too-many-folders': (detail) =>
    `There are more folders than a check can hold in memory; “${detail}” was not looked into.`,
  link: (detail) =>
    `${detail === '' ? 'This' : `“${detail}”`} is a link or something else that is neither file nor ` +
    'folder; it was not followed.',
  'entry-twice': (detail) => `Two entries are named “${detail}”; which one counts is anybody’s guess.`,
  'archive-cut': (detail) => `The file ends at byte ${detail}, where it is not complete.`,
  'archive-damaged': (detail) =>
    `What stands at byte ${detail} is not what the format has there, or contradicts the rest.`,
  'archive-gap': (detail) => `From byte ${detail} on there is something that belongs to no entry.`,
  'archive-parts': (detail) =>
    `This is a part of an archive in several files (byte ${detail}); put them into one first.`,
  'entry-differs': (detail) =>
    `The archive says different things of “${detail}” in two places, so programs read different things.`,
  'entry-doubtful': (detail) =>
    `Programs unpack “${detail}” in different ways, because of what stands in its header.`,
  'entry-overlap': (detail) => `“${detail}” takes up bytes that belong to something else in the archive.`,
  'entry-method': (detail) =>
    `This is encrypted or compressed in a way that is not read, so it was not checked: ${detail}.`,
  'entry-damaged': (detail) =>
    `“${detail}” is damaged: unpacked it has not the length or the CRC-32 that the archive says.`,
  'entry-conflict': (detail) =>
    `“${detail}” is a file and a folder as well; unpacked, one destroys the other.`,
  'name-empty': (detail) =>
    `An entry of the archive is named “${detail}”, which is no name of a file; programs skip it, ` +
    'refuse it or name it themselves.',
  'name-long': (detail) => `“${detail}…” is longer than many systems allow a name to be.`,
  'name-differs': (detail) => `Programs unpack this under different names: “${detail}”.`,
  'name-unmarked': (detail) =>
    `“${detail}” is not marked as UTF-8; some programs unpack it under another name.`,
  'mac-folder': (detail) =>
    `“${detail}” lies beside the package: macOS added it, and other programs make files of it.`,
  'no-base-folder': () =>
    'The package lies in no folder of its own: it was packed from the inside, and unpacked it mixes ' +
    'with what is there.',
  'base-folder-name': (detail) =>
    `The folder in it is named “${detail}”, and should have the name of the file.`,
  'form-name': (detail) =>
    `This file is a ${detail}, and its name says that it is something else: programs that go by the ` +
    'name unpack something else, or nothing.',
  'entry-outside': (detail) => `“${detail}” lies beside the one folder that holds the package.`,
  bomb: (detail) => `“${detail}” unpacks to more than it can hold or says; unpacking was stopped.`,
  profile: (detail) => `The profile is not met. ${detail}`,
  xml: (detail) => `This is not well-formed XML, and was read no further: ${detail}`,
  'xml-doctype': () =>
    'This XML has a document type declaration, which may draw in other files; it was read no further.',
  'xml-bounds': (detail) =>
    `This XML has more in one place than a check reads (${detail}); it was read no further.`,
  'not-mets': (detail) =>
    `This is no METS of version 1, whose root is {http://www.loc.gov/METS/}mets, but ${detail}; it was read ` +
    'no further.',
  'mets-schema': (detail) => `METS has no such thing in this place: ${detail}`,
  'e-ark-rule': (detail) => ruleSentence(detail, 'en'),
  'e-ark-version': (detail) =>
    `The package follows version ${detail} of E-ARK. The rules of 2.1.0 and 2.2.0 are known; those that ` +
    'are nearest were tested.',
  'fgs-1': () =>
    'This follows FGS Paketstruktur 1, which became E-ARK in version 2. Its files were checked, and no ' +
    'rules were tested.',
  'other-profile': (detail) =>
    `The METS does not say that it follows E-ARK${ofDetail(detail)}. Its files were checked, and no rules ` +
    'were tested.',
  'labels-left-out': (detail) =>
    `This says more than ${detail} things of its package, such as agents; the others are not shown.`,
  'only-checked': (detail) =>
    `A package of this format (${detail}) is checked only; it is not taken in or sent.`,
  external: (detail) => `“${detail}” leads to somewhere else; nothing was fetched.`,
  size: (detail) =>
    `The size is not the one that is listed${differing(
      detail,
      (name, listed, found) => `: ${name}. Listed: ${listed} bytes. Found: ${found}.`,
    )}`,
  'too-large': (detail) => `This file has more than ${detail} bytes, which is more than a check reads of it.`,
  memory: () => 'The check needs more memory than it is given; this package was not checked to its end.',
}

const sv: Sentences = {
  'not-a-package': () => 'Här finns ingen bagit.txt och ingen METS, så detta är inget paket.',
  unreadable: (detail) => `Detta kan inte läsas: ${detail}`,
  vanished: (detail) => `”${detail}” fanns när kontrollen började men gick inte längre att hitta.`,
  'declaration-mark': () => 'bagit.txt börjar med ett byteordningsmärke, vilket den inte får.',
  'declaration-lines': () => 'bagit.txt består inte av exakt två rader.',
  'declaration-version': () => 'Första raden i bagit.txt anger ingen version från 0.93 till 1.0.',
  'declaration-encoding': () => 'Andra raden i bagit.txt anger ingen teckenkodning som kan läsas.',
  'tag-encoding': (detail) => `Filens byte är ingen text i ${detail}.`,
  'tag-mark': () =>
    'Filen börjar med ett byteordningsmärke, vilket ingen taggfil i UTF-8 får ha (RFC 8493 2.3).',
  'info-line': (detail) => `”${detail}” är inte en etikett, ett kolon och ett värde.`,
  'info-repeated': (detail) => `”${detail}” bör stå bara en gång.`,
  oxum: (detail) => `Payload-Oxum stämmer inte med det som finns${ofOxum(detail, oxumSv)}`,
  'oxum-repeated': () => 'Payload-Oxum står mer än en gång, vilket den inte får.',
  'no-payload-folder': () => 'Mappen ”data” saknas.',
  'no-manifest': () =>
    'Det finns inget manifest över innehållet som kan läsas (till exempel manifest-sha256.txt).',
  'unknown-algorithm': (detail) =>
    `Kontrollsummorna är av ett slag som inte är känt här, så de kontrollerades inte${ofDetail(detail)}.`,
  'weak-algorithm': (detail) => `${detail} skyddar mot olyckor, inte mot avsikt.`,
  'bad-line': (detail) => `”${detail}” är inte en kontrollsumma av rätt längd och ett namn.`,
  'unusual-line': (detail) =>
    detail === '' ? 'En rad är tom.' : `Läst, men inte skrivet som brukligt: ${detail}`,
  escapes: (detail) => `”${detail}” leder ut ur paketet; det följdes inte.`,
  'not-payload': (detail) => `”${detail}” ligger inte i ”data”, där varje namn i den här filen måste ligga.`,
  'is-payload': (detail) => `”${detail}” ligger i ”data”, som ett taggmanifest inte får ta upp.`,
  'lists-tag-manifest': (detail) => `”${detail}” är ett taggmanifest, som inget taggmanifest tar upp.`,
  'lists-folder': (detail) => `”${detail}” är en mapp; bara filer tas upp.`,
  'listed-twice': (detail) =>
    detail === '' ? 'Det finns två manifest för en algoritm.' : `”${detail}” tas upp två gånger.`,
  twins: (detail) =>
    `”${detail}” skiljer sig från ett annat namn bara i versaler eller accenternas form: vissa system ` +
    'tar båda för ett.',
  missing: (detail) => `”${detail}” tas upp men finns inte.`,
  'to-fetch': (detail) => `”${detail}” ska ännu hämtas från adressen i fetch.txt.`,
  'fetch-unlisted': (detail) => `”${detail}” står i fetch.txt men i inget manifest.`,
  unlisted: (detail) => `”${detail}” finns i paketet, men inget tar upp det.`,
  counts: (detail) => `Antalet filer som tas upp och antalet som finns stämmer inte överens: ${detail}.`,
  'too-many-names': (detail) =>
    `Det finns fler än ${detail} namn, vilket är mer än kontrollen håller i minnet; resten ` +
    'kontrollerades inte.',
  'manifest-unlisted': (detail) =>
    `”${detail}” tas inte upp i taggmanifestet, så en ändring av det skulle inte upptäckas.`,
  'tag-unlisted': (detail) => `”${detail}” tas inte upp i taggmanifestet.`,
  mismatch: (detail) =>
    `Innehållet har inte den kontrollsumma som anges${differing(
      detail,
      (name, listed, found) => `: ${name}. Angiven: ${listed}. Funnen: ${found}.`,
    )}`,
  'other-spelling': (detail) => `Hittades under en annan stavning än den som anges: ${detail}`,
  'name-not-text': (detail) =>
    `Byten i namnet ”${detail}” är ingen UTF-8, så inget manifest kan ta upp det och andra system ` +
    'läser det olika.',
  'too-deep': (detail) => `”${detail}” ligger så djupt att systemet inte kan öppna det.`,
  'too-many-folders': (detail) =>
    `Det finns fler mappar än en kontroll kan hålla i minnet; ”${detail}” granskades inte.`,
  link: (detail) =>
    `${detail === '' ? 'Detta' : `”${detail}”`} är en länk eller något annat som varken är fil eller ` +
    'mapp; det följdes inte.',
  'entry-twice': (detail) => `Två poster heter ”${detail}”; vilken som gäller kan ingen veta.`,
  'archive-cut': (detail) => `Filen slutar vid byte ${detail}, där den inte är fullständig.`,
  'archive-damaged': (detail) =>
    `Det som står vid byte ${detail} är inte vad formatet har där, eller motsäger resten.`,
  'archive-gap': (detail) => `Från byte ${detail} finns något som inte hör till någon post.`,
  'archive-parts': (detail) =>
    `Detta är en del av en arkivfil i flera delar (byte ${detail}); sätt först ihop dem till en fil.`,
  'entry-differs': (detail) =>
    `Arkivfilen säger olika saker om ”${detail}” på två ställen, så program läser olika saker.`,
  'entry-doubtful': (detail) =>
    `Program packar upp ”${detail}” på olika sätt, på grund av vad som står i postens huvud.`,
  'entry-overlap': (detail) => `”${detail}” tar upp byte som hör till något annat i arkivfilen.`,
  'entry-method': (detail) =>
    `Detta är krypterat eller komprimerat på ett sätt som inte läses, så det kontrollerades inte: ${detail}.`,
  'entry-damaged': (detail) =>
    `”${detail}” är skadad: uppackad har den inte den längd eller den CRC-32 som arkivfilen anger.`,
  'entry-conflict': (detail) =>
    `”${detail}” är både en fil och en mapp; vid uppackning förstör den ena den andra.`,
  'name-empty': (detail) =>
    `En post i arkivfilen heter ”${detail}”, vilket inte är något filnamn; program hoppar över den, ` +
    'vägrar eller ger den ett eget namn.',
  'name-long': (detail) => `”${detail}…” är längre än många system tillåter att ett namn är.`,
  'name-differs': (detail) => `Program packar upp detta under olika namn: ”${detail}”.`,
  'name-unmarked': (detail) =>
    `”${detail}” är inte märkt som UTF-8; vissa program packar upp det under ett annat namn.`,
  'mac-folder': (detail) =>
    `”${detail}” ligger bredvid paketet: macOS har lagt till den, och andra program gör filer av den.`,
  'no-base-folder': () =>
    'Paketet ligger inte i en egen mapp: det packades inifrån, och uppackat blandas det med det som ' +
    'finns där.',
  'base-folder-name': (detail) => `Mappen i den heter ”${detail}” och bör ha filens namn.`,
  'form-name': (detail) =>
    `Filen är en ${detail}, men dess namn säger något annat: program som går efter namnet packar upp ` +
    'något annat, eller inget.',
  'entry-outside': (detail) => `”${detail}” ligger bredvid den enda mapp som håller paketet.`,
  bomb: (detail) => `”${detail}” packas upp till mer än den kan rymma eller anger; uppackningen stoppades.`,
  profile: (detail) => `Profilen uppfylls inte. ${detail}`,
  xml: (detail) => `Detta är inte välformad XML och lästes inte längre${xmlTroubleSv(detail)}`,
  'xml-doctype': () =>
    'Denna XML har en dokumenttypsdeklaration, som kan dra in andra filer; den lästes inte längre.',
  'xml-bounds': (detail) =>
    `Denna XML har mer på ett ställe än en kontroll läser (${detail}); den lästes inte längre.`,
  'not-mets': (detail) =>
    `Detta är ingen METS av version 1, vars rot är {http://www.loc.gov/METS/}mets, utan ${detail}; det lästes ` +
    'inte längre.',
  'mets-schema': (detail) => `METS har inget sådant på denna plats: ${detail}`,
  'e-ark-rule': (detail) => ruleSentence(detail, 'sv'),
  'e-ark-version': (detail) =>
    `Paketet följer version ${detail} av E-ARK. Reglerna i 2.1.0 och 2.2.0 är kända; de närmaste ` +
    'prövades.',
  'fgs-1': () =>
    'Detta följer FGS Paketstruktur 1, som blev E-ARK i version 2. Filerna kontrollerades, och inga regler ' +
    'prövades.',
  'other-profile': (detail) =>
    `METS-filen säger inte att den följer E-ARK${ofDetail(detail)}. Filerna kontrollerades, och inga ` +
    'regler prövades.',
  'labels-left-out': (detail) =>
    `Här sägs mer än ${detail} saker om paketet, till exempel aktörer; de övriga visas inte.`,
  'only-checked': (detail) =>
    `Ett paket i detta format (${detail}) kontrolleras bara; det tas inte in eller skickas.`,
  external: (detail) => `”${detail}” leder någon annanstans; inget hämtades.`,
  size: (detail) =>
    `Storleken är inte den som anges${differing(
      detail,
      (name, listed, found) => `: ${name}. Angiven: ${listed} byte. Funnen: ${found}.`,
    )}`,
  'too-large': (detail) => `Filen har mer än ${detail} byte, vilket är mer än en kontroll läser av den.`,
  memory: () => 'Kontrollen behöver mer minne än den får; paketet kontrollerades inte till slut.',
}

/** What a finding says, as a sentence. */
export const findingSentence = ({ code, detail }: Pick<Finding, 'code' | 'detail'>, language: 'en' | 'sv') =>
  (language === 'sv' ? sv : en)[code](detail)

/** What findings that are counted and not listed say, as a sentence. */
export const countedSentence = ({ code, count }: CountedFindings, language: 'en' | 'sv') => {
  const number = new Intl.NumberFormat(language).format(count)
  return language === 'sv' ? `Och ${number} till: ${sv[code]('…')}` : `And ${number} more: ${en[code]('…')}`
}
