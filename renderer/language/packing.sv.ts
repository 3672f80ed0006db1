import { number, size } from './formatters.ts'
import { formatWithVersion } from './package-formats.ts'
import type { PackingWords } from './packing.en.ts'

const files = (count: number) => (count === 1 ? '1 fil' : `${number(count, 'sv')} filer`)
const copies = (count: number) => (count === 1 ? '1 kopia' : `${number(count, 'sv')} kopior`)
const folders = (count: number) => (count === 1 ? '1 mapp' : `${number(count, 'sv')} mappar`)

export const packingSv: PackingWords = {
  upload: 'Hur det går till arkivet',
  uploads: {
    'one file': 'Som en fil (tar)',
    'each file': 'Varje fil för sig',
  },
  uploadHints: {
    'one file':
      'Över gränssnittet, på några sekunder. Namn, tomma mappar och kontrollsummor förblir som de är; ' +
      'arkivet förvarar en fil och visar vad som finns i den.',
    'each file':
      'Över gränssnittet; arkivet ser, indexerar och ritar varje fil. Tomma mappar följer inte med, och ' +
      'varje fil tar arkivet en tiondels sekund eller mer.',
  },
  refusable: (parts) =>
    `Skickas varje fil för sig avvisar arkivet troligen hela paketet för ${parts}. Som en fil går det ` +
    `igenom.`,
  refusableExtension: (extension, count) =>
    `${files(count)} ${extension === '' ? 'utan filändelse' : `med ändelsen ${extension}`}`,
  refusableEmpty: (count) => `${files(count)} utan innehåll`,
  refusableName: (count) => `${files(count)} med ett blankt namn eller en radbrytning i namnet`,
  arrange: 'Hur det packas',
  packageFormat: 'Paketformat',
  packageFormatHint:
    'E-ARK SIP är vad många europeiska arkiv tar emot; FGS Paketstruktur 2 är dess version 2.1.0.',
  packageFormatAgreed: 'Föreslaget av leveransöverenskommelsen; du kan välja ett annat.',
  formatNotTaken:
    'Under den här överenskommelsen gör arkivet representationer självt, och tar inte emot något E-ARK SIP ' +
    'som redan är gjort. Välj ett annat format eller en annan överenskommelse.',
  eachFolder: 'Varje mapp du lägger till är en representation',
  eachFolderHint:
    'Lägg till till exempel original och användningskopior som var sin mapp. Annars är allt en ' +
    'representation.',
  representations: (count) =>
    count === 1
      ? 'Än så länge finns en. Mappar i en mapp räknas inte: lägg till original och användningskopior ' +
        'som var sin mapp.'
      : `Det blir ${number(count, 'sv')} representationer.`,
  descriptive: 'Beskrivande metadata',
  noDescriptive: 'Dublin Core från formuläret.',
  chooseDescriptive: 'Välj en fil',
  dropDescriptive: 'Ta bort filen',
  form: 'Form',
  forms: { folder: 'Mapp', tar: 'En fil (tar)', zip: 'En fil (zip)' },
  noFolder:
    'Med en identifierare som du själv väljer blir paketet en fil. En mapp går med den identifierare som ' +
    'utkastet började med, för mappen måste heta så.',
  goesWhole:
    'Till det här arkivet går ett E-ARK-paket som en fil (tar), som bevaras hel vad den än innehåller.',
  algorithm: 'Kontrollsummor',
  algorithms: { sha256: 'SHA-256', sha512: 'SHA-512' },
  polite: 'Hänsynsfullt',
  politeHint: 'Arbetar halva tiden, så att datorn är fri för annat.',
  profile: 'BagIt-profil',
  noProfile: 'Ingen. En profil säger vad mottagaren vill att en bag ska ha.',
  chooseProfile: 'Välj en profil',
  dropProfile: 'Utan profil',
  profileMet: 'Utkastet uppfyller sin profil.',
  profileAsks: (count, name) => {
    const who = name === '' ? 'Profilen' : name
    return count === 1 ? `${who} begär en sak till` : `${who} begär ${number(count, 'sv')} saker till`
  },
  rules: {
    OBJID: (detail) =>
      `Identifieraren ”${detail}” blir namnet på en mapp, och det kan den inte vara: snedstreck, bara ` +
      'punkter eller ett blanksteg sist går inte där.',
    element: (detail) => `Dublin Core har inget element ”${detail}”.`,
    submitter: () => 'Det behöver anges vem som levererar: en organisation eller en person.',
    required: (label) => `”${label}” behövs.`,
    values: (detail, field) => `”${field}” har inget av de tillåtna värdena: ${detail}`,
    repeatable: (label) => `”${label}” får stå bara en gång.`,
    Serialization: (detail) =>
      detail === 'required' ? 'Bagen måste vara en enda fil.' : 'Bagen måste vara en mapp.',
    'Accept-Serialization': (detail) => `Formen måste vara en av: ${detail}`,
    'Manifests-Required': (detail) => `Kontrollsummor med ${detail} behövs.`,
    'Manifests-Allowed': (detail) => `Kontrollsummorna måste vara en av: ${detail}`,
    'Tag-Manifests-Required': (detail) => `Ett taggmanifest med ${detail} behövs.`,
    'Tag-Manifests-Allowed': (detail) => `Taggmanifesten måste vara en av: ${detail}`,
  },
  fields: {
    TYPE: 'Innehållskategori',
    CONTENTINFORMATIONTYPE: 'Innehållets informationstyp',
    'ARCHIVIST ORGANIZATION': 'Arkivbildare',
    SUBMISSIONAGREEMENT: 'Leveransöverenskommelse i METS',
    REFERENCECODE: 'Referenskod',
    'dc:subject': 'Ämne',
    'dc:date': 'Handlingarnas tid',
    'dc:language': 'Språk',
    'dc:coverage': 'Plats och period',
    'dc:rights': 'Rättigheter',
  },
  labels: {
    OBJID: 'Paketets identifierare',
    LABEL: 'Namn',
    PROFILE: 'Profil',
    CREATEDATE: 'Skapat',
    RECORDSTATUS: 'Leveransens status',
    OAISPACKAGETYPE: 'Pakettyp (OAIS)',
    'CREATOR SOFTWARE': 'Packat med',
    'CREATOR ORGANIZATION': 'Levererande organisation',
    'CREATOR INDIVIDUAL': 'Levererad av',
    'OTHER INDIVIDUAL': 'Annan person',
    'ARCHIVIST SOFTWARE': 'Arkivbildarens programvara',
    'PRESERVATION ORGANIZATION': 'Bevarande organisation',
    'IPOWNER ORGANIZATION': 'Ägare',
    PREVIOUSSUBMISSIONAGREEMENT: 'Tidigare leveransöverenskommelse',
    PREVIOUSREFERENCECODE: 'Tidigare referenskod',
    'dc:title': 'Titel',
    'dc:creator': 'Upphov',
    'dc:description': 'Beskrivning',
    'dc:identifier': 'Identifierare',
    'dc:publisher': 'Utgivare',
    'dc:contributor': 'Medverkande',
    'dc:type': 'Typ',
    'dc:format': 'Format',
    'dc:source': 'Källa',
    'dc:relation': 'Relation',
  },
  notSaid: 'inte angivet',
  allowedValues: (values) => `En av: ${values}`,
  pause: 'Pausa',
  goOn: 'Fortsätt',
  paused: 'Pausat. Det fortsätter där det stannade.',
  counting: 'Räknar …',
  skipped: (count, isPacked) => `${files(count)} ${isPacked ? 'packades' : 'packas'} inte`,
  why: { link: 'en länk, som aldrig följs', special: 'en socket, ett rör eller en enhet' },
  emptyFolders: (count) => (count === 1 ? '1 tom mapp' : `${number(count, 'sv')} tomma mappar`),
  emptyFolderPacked:
    'packas; ett manifest tar bara upp filer, så ett program som kopierar efter manifestet utelämnar den',
  emptyFolderLeftOut: 'kommer inte med när varje fil skickas för sig',
  misnamed: (count) =>
    count === 1 ? '1 fil är inte vad filändelsen säger' : `${files(count)} är inte vad filändelsen säger`,
  misnamedAs: (format) => (format === '' ? 'börjar inte som en sådan fil gör' : `börjar som ${format}`),
  emptyFiles: (count) =>
    count === 1 ? '1 fil är tom: den har inga byte' : `${files(count)} är tomma: de har inga byte`,
  noRoom: (folder, needed, free) =>
    `Paketet behöver ${size(needed, 'sv')} i ${folder}, där ${size(free, 'sv')} kan användas. Gör plats ` +
    `där innan du packar.`,
  recount: 'Räkna om',
  pointsTo: (target) => `pekar på ${target}`,
  warned: (count) => (count === 1 ? '1 ovanligt namn' : `${number(count, 'sv')} ovanliga namn`),
  trouble: {
    hidden: 'dold; den packas',
    windows: 'Windows skulle inte lagra det namnet',
    long: 'för långt för vissa Windowsprogram',
    percent: 'har ett procenttecken, som vissa program inte avkodar i ett manifest',
    'line-break': 'har ett tecken som vissa program tar för radslut i ett manifest',
    'case-twin': 'skiljer sig från ett annat bara i versaler',
    'form-twin': 'skiljer sig från ett annat bara i accenternas form',
  },
  first: (shown, all) => `De första ${number(shown, 'sv')} av ${number(all, 'sv')}.`,
  formats: 'Format',
  emptyFile: 'Tom fil',
  toolFailed: (tool) => `${tool} finns på datorn men misslyckades, så nästa verktyg användes.`,
  formatsBy: {
    extension: 'Efter filändelserna. Vad varje fil verkligen är bestäms när den packas.',
    siegfried: 'Bestämt av siegfried, med PRONOMs identifierare.',
    fido: 'Bestämt av FIDO, med PRONOMs identifierare.',
    'built-in':
      'Bestämt av Lecterns eget bibliotek, som känner färre format än siegfried (sf) och FIDO (fido) ' +
      'och inget PRONOM.',
  },
  format: 'Format',
  noExtension: 'utan filändelse',
  unknownFormat: 'inte bestämt',
  filesHeading: 'Filer',
  sizeHeading: 'Storlek',
  basis: 'Genom',
  otherEndings: (count) =>
    count === 1 ? 'Och 1 filändelse till.' : `Och ${number(count, 'sv')} filändelser till.`,
  otherFormats: (count) =>
    `Och ${count === 1 ? '1 annat' : `${number(count, 'sv')} andra`} format; ` +
    'formats.csv i paketet tar upp varje fil.',
  sipSaid: (f, d, bytes) => `${files(f)}, ${folders(d)}, ${size(bytes, 'sv')}: samma före och efter`,
  notPacked: (count) => `${files(count)} packades inte; not-packed.csv i paketet säger vilka.`,
  manifest: 'Manifestets kontrollsumma',
  duplicates: 'Detta verkar redan finnas',
  duplicateBy: {
    content: 'samma innehåll, fil för fil',
    identifier: 'arkivet har den identifieraren: det blir en ny generation',
  },
  duplicateIdentifier:
    'arkivet har redan den här identifieraren, och tar emot varje identifierare bara en gång',
  start: {
    title: 'Sätt att börja',
    more: 'Fler sätt att börja',
    table: 'Från en tabell',
    tableHint:
      'CSV eller XLSX, en överföring per rad. Inget packas innan du har sett vad som är fel på vilken rad.',
    folder: 'Från en mapp med mappar',
    folderHint: 'En överföring för varje mapp i den.',
    takeOver: 'Från en annan arbetsplats',
    takeOverHint: 'En överföring som lämnats över på ett minne, med sitt paket.',
    checkFolder: 'Kontrollera en mapp',
    checkFile: 'Kontrollera en fil',
    checkHint: 'Eller släpp den på fönstret. En fil jämförs med kontrollsummorna för det paket som är öppet.',
    checksMade: 'Kontroller som har gjorts',
    batches: 'Omgångar',
    checks: (count) => (count === 1 ? '1 kontroll' : `${number(count, 'sv')} kontroller`),
    rows: (count) => (count === 1 ? '1 rad' : `${number(count, 'sv')} rader`),
  },
  handOver: 'Lämna över till en annan arbetsplats',
  handedOver: (when) =>
    `Kopierad för en annan arbetsplats ${when}. Den packas och skickas därifrån, inte härifrån.`,
  isHandedOver: 'Lämnad över',
  takeBack: 'För att ändå gå vidare med den här, ta tillbaka den därifrån den kopierades till.',
  takeBackAct: 'Ta tillbaka den',
  leftIn: (folder) =>
    `Något av den ligger kvar i mottagningsmappen ${folder}, där ingen behöver det längre. Det tas bort ` +
    'så snart mappen kan nås.',
  receipt: 'Kvitto',
  asTemplate: 'Ny som denna',
  when: 'När',
  checks: {
    title: 'Kontroller',
    filter: 'Filtrera kontroller',
    none: 'Inget har kontrollerats än.',
    teach: 'Släpp ett paket, en mapp eller en fil på fönstret, eller välj en.',
    about:
      'En kontroll läser varje fil i ett paket och jämför den med de kontrollsummor som paketet uppger. ' +
      'Inget ändras, och inget skickas.',
    choose: 'Välj en kontroll för att se resultatet.',
    unread:
      'Det som inte kunde läsas talar varken för paketet eller emot det. Se till att det går att läsa ' +
      '(behörigheter, disk, anslutning) och kontrollera det igen.',
    states: {
      valid: 'Fullständig och giltig',
      invalid: 'Inte giltig',
      'not-a-package': 'Inget paket',
      unreadable: 'Inte helt läsbar',
      working: 'Kontrollerar …',
      copying: 'Kopierar …',
      stopped: 'Stoppad',
      failed: 'Kunde inte läsas',
      match: 'Stämmer',
      mismatch: 'Stämmer inte',
      file: 'En fil',
    },
    stop: 'Stoppa',
    close: 'Stäng',
    sendOn: 'Skicka vidare',
    sendOnHint: 'En kopia blir en överföring som är klar att skickas. Originalet ligger kvar där det är.',
    sendOnNot: 'Det skickas inte i den här formen. Gör en tar-fil av det och kontrollera den filen.',
    notSent: {
      kind: 'Paket av det här slaget kontrolleras bara. BagIt-bagar och E-ARK SIP kan skickas vidare.',
      invalid: 'För att skicka det vidare, låt rätta det där det gjordes och kontrollera det igen.',
    },
    sentOn: 'En kopia av det är en överföring på den här arbetsplatsen.',
    save: 'Spara resultatet',
    saved: 'Resultatet är sparat.',
    totals: (errors, warnings) =>
      `${number(errors, 'sv')} fel, ${warnings === 1 ? '1 varning' : `${number(warnings, 'sv')} varningar`}`,
    kind: (format, version, form) => `${formatWithVersion(format, version)}, ${form.toLocaleLowerCase('sv')}`,
    levels: { error: 'Fel', warning: 'Varning' },
    line: (line) => `rad ${number(line, 'sv')}`,
    info: 'Vad paketet säger om sig självt',
    findings: 'Resultat',
    noFindings: 'Inget är fel: varje fil finns, och varje fil har den kontrollsumma som anges.',
    more: (count) => `Och ${number(count, 'sv')} till; spara resultatet för att få alla som behölls.`,
    digests: 'Filens kontrollsummor',
    compared: (label) => `Jämförd med ”${label}”`,
    of: { package: 'paketet', 'content-mets': 'innehållets METS-fil', 'package-mets': 'paketets METS-fil' },
    noPackage: 'Inget paket var öppet, så det fanns inget att jämföra med. Öppna ett och släpp filen igen.',
    noDigests: 'Arkivet har ingen kontrollsumma för paketet som kan jämföras.',
    expected: 'Arkivet',
    found: 'Filen',
  },
  history: {
    title: 'Historik',
    earlier: (count) => `… och ${number(count, 'sv')} tidigare`,
    sources: { desk: 'den här arbetsplatsen', archive: 'arkivet', notification: 'meddelande från arkivet' },
    steps: {
      registered: 'Arkivet har öppnat ett paket för den',
      agreed: 'Den är lagd under leveransöverenskommelsen',
      locked: 'Det som beskriver paketet ligger fast',
      prepared: 'Arkivet kan ta emot filerna',
      uploaded: 'Arkivet har filerna',
      created: 'Arkivet har skapat leveranspaketet',
      submitted: 'Den är levererad',
      received: 'Arkivet har tagit emot den',
      preserved: 'Arkivet har bevarat den',
    },
  },
  receiptPage: {
    title: 'Kvitto',
    soFar: 'Överföringen är inte bevarad än. Här står det som är känt så här långt.',
    back: 'Tillbaka till överföringen',
    may: 'Originalen får raderas.',
    mayNot: 'Originalen bör behållas.',
    reasons: {
      preserved: (isMet) =>
        isMet ? 'Arkivet säger att paketet är bevarat.' : 'Arkivet har inte sagt att paketet är bevarat.',
      copies: (isMet, is, of) =>
        of === null
          ? `Det finns ${copies(is)}; hur många det borde vara är inte känt.`
          : isMet
            ? `Det finns ${copies(is)}; policyn kräver ${number(of, 'sv')}.`
            : `Det finns ${number(is, 'sv')} av de ${number(of, 'sv')} kopior som borde finnas. De på ` +
              `samma medium räknas som en, de på ett medium som slutat fungera inte alls.`,
      'all-packed': (isMet, is) =>
        isMet ? 'Inget i källorna lämnades utanför.' : `${files(is)} i källorna packades inte.`,
      'same-contents': (isMet) =>
        isMet
          ? 'Paketet som skickades innehåller det som räknades innan.'
          : 'Det är inte känt att paketet innehåller det som räknades innan.',
      compared: (isMet, algorithm) =>
        isMet
          ? `Namn, storlekar och kontrollsummor (${algorithm}) som arkivet anger för sina filer är de ` +
            `som skickades.`
          : 'Det arkivet har är inte jämfört med det som skickades.',
    },
    archive: 'Arkiv',
    delivery: 'Leverans',
    agreement: 'Leveransöverenskommelse',
    sender: 'Levererad av',
    identifier: 'Identifierare',
    transferId: 'Överföringens id',
    packageId: 'Paketets id',
    generation: 'Generation',
    holds: 'Innehåll',
    holdsSaid: (f, d, bytes) => `${files(f)}, ${folders(d)}, ${size(bytes, 'sv')}`,
    manifest: 'Kontrollsumma för innehållets manifest',
    mets: 'Kontrollsumma för METS.xml',
    packageDigest: 'Paketets kontrollsumma',
    dates: 'Datum',
    copies: 'Kopior',
    medium: 'Medium',
    location: 'Placering',
    written: 'Skriven',
    sources: 'Packat från',
    made: (when) => `Gjort av Lectern, ${when}`,
  },
  batch: {
    title: (name) => `Omgång: ${name}`,
    columns: 'Kolumner',
    columnsHint:
      'Vilken kolumn i tabellen som innehåller vad. Bara källan behövs; sökvägar utgår från tabellens mapp.',
    none: 'inte i tabellen',
    fields: {
      source: 'Källa (mapp eller fil)',
      name: 'Namn',
      delivery: 'Leverans (namn eller id)',
      agreement: 'Överenskommelse (namn eller id)',
      identifier: 'Identifierare',
      description: 'Beskrivning',
      organization: 'Levererande organisation',
      address: 'Dess adress',
      person: 'Levererad av',
      email: 'E-post',
    },
    template: 'Mall',
    noTemplate: 'ingen',
    templateHint: 'En tidigare överföring vars formulär och packning gäller för det som tabellen inte säger.',
    unknownValue: (field, value) => `${field}: ”${value}” finns inte i dess lista`,
    packedAs: 'Packas som',
    asTemplate: 'som mallen',
    asLast: 'som den senaste överföringen packades',
    preview: 'Tabellens första rader',
    rows: 'Rader',
    line: 'Rad',
    state: 'Tillstånd',
    ready: 'redo',
    troubles: {
      'more-cells': 'fler celler än rubriker',
      'no-source': 'ingen källa',
      'source-gone': 'källan finns inte',
      'source-no-text': 'namnets byte är inte text (UTF-8)',
      'source-no-file': 'källan är varken en mapp eller en fil',
      'source-unseen': 'källan går inte att öppna',
      'source-twice': 'en annan rad har samma källa',
      'no-name': 'inget namn',
      email: 'e-postadressen är inte fullständig',
      delivery: 'det finns ingen sådan leverans',
      agreement: 'det finns ingen sådan leveransöverenskommelse',
      'identifier-twice': 'en annan rad har samma identifierare',
      'too-long': 'ett värde är för långt',
      'not-in-vocabulary': 'ett värde finns inte i fältets lista',
    },
    counts: (ready, wrong, done) =>
      `${number(ready, 'sv')} redo, ${number(wrong, 'sv')} att rätta, ${number(done, 'sv')} packade`,
    dryRun: 'Provkör',
    dryRunHint:
      'En provkörning räknar vad varje rad skulle packa, och packar inget. Det som saknar leverans (eller, ' +
      'där paket går över gränssnittet, leveransöverenskommelse) i tabellen och mallen packas och väntar ' +
      'på en.',
    pack: 'Packa',
    packAndSend: 'Packa och skicka',
    again: 'Packa resten',
    stop: 'Stoppa',
    save: 'Spara en rapport',
    saved: 'Rapporten är sparad.',
    remove: 'Radera omgången',
    removeHint: 'När omgången raderas finns dess överföringar kvar.',
    working: {
      counting: (done, of) => `Räknade ${number(done, 'sv')} av ${number(of, 'sv')}`,
      packing: (done, of) => `Packade ${number(done, 'sv')} av ${number(of, 'sv')}`,
    },
    nothingReady: 'Ingen rad är redo.',
    counted: (f, bytes, skipped) =>
      `${files(f)}, ${size(bytes, 'sv')}${skipped > 0 ? `, ${number(skipped, 'sv')} överhoppade` : ''}`,
    page: (from, to, all) => `${number(from, 'sv')}–${number(to, 'sv')} av ${number(all, 'sv')}`,
    firstPage: 'Det här är de första raderna',
    lastPage: 'Det här är de sista raderna',
    previous: 'Föregående rader',
    next: 'Nästa rader',
  },
}
