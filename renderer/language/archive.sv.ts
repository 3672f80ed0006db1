import type { ArchiveWords } from './archive.en.ts'
import { number, size } from './formatters.ts'

const n = (value: number) => number(value, 'sv')

export const archiveSv: ArchiveWords = {
  capabilities: {
    title: 'Vad det här arkivet kan',
    asOf: (moment) => `Enligt vad det självt sade ${moment}`,
    ask: 'Fråga igen',
    never: 'Det har inte tillfrågats än.',
    names: {
      organization: 'Du arbetar för',
      lists: 'Listor',
      search: 'Sökning',
      files: 'Filerna i ett paket',
      steps: 'Arbetet med ett paket',
      access: 'Hämtning ur lagringen',
      dip: 'Utlämnandepaket',
      submission: 'Överföringar',
      notifications: 'Meddelanden',
      push: 'Nyheter',
      signIn: 'Inloggad',
      features: 'Delar av det',
    },
    lists: (isPaged, isCounting) =>
      (isPaged ? 'kommer sidvis och läses till slutet' : 'kommer hela') +
      (isCounting
        ? ', och säger hur många det är'
        : '; de säger inte hur många det är, så slutet hittas genom att läsa'),
    search: (can) => (can ? 'letar i arkivets eget index' : 'erbjuds inte; det som finns här genomsöks'),
    denied: {
      files: 'din roll där visar bara filerna i dina egna paket',
      access: 'din roll där får inte begära den',
      dip: 'din roll där får inte göra några',
    },
    files: (can) => (can ? 'kan listas, tittas på och laddas ner' : 'erbjuds inte'),
    steps: (can) =>
      can ? 'visas steg för steg, med det som misslyckades' : 'visas inte; bara tillståndet är känt',
    access: (can) => (can ? 'kan begäras härifrån' : 'görs av arkivets egen personal'),
    dip: (can) => (can ? 'kan göras för en beställning, steg för steg' : 'görs inte över gränssnittet'),
    submission: {
      unknown:
        'väntar: arkivet svarade med ett fel på frågan hur det tar emot dem, och tillfrågas snart igen',
      no: 'läggs i inkorgen för en lagringspolicy, som måste vara en enhet på den här datorn',
      'not allowed': 'går över gränssnittet; din roll där får inte skicka några',
      'until submitted':
        'går över gränssnittet tills de är levererade; en kollega som får ta emot paket där fortsätter',
      whole: 'går över gränssnittet tills de är bevarade',
    },
    notifications: (can) =>
      can ? 'kan markeras som sedda även där' : 'markeras som sedda bara på den här datorn',
    push: (can) =>
      can ? 'kommer genom en egen kanal, och genom att se efter då och då' : 'letas efter då och då',
    token: (ends) => `till ${ends}`,
    tokenOpen: 'tills vidare',
    basic: 'med namn och lösenord i varje fråga',
    noOrganization:
      'Du tillhör ingen organisation där. Att skapa leveranser, överföringar, aktörer och placeringar ' +
      'misslyckas troligen: fråga arkivets administratör.',
    on: (name) => `${name}: på`,
    off: (name) => `${name}: av`,
    creates: {
      title: 'Var du kan skapa',
      list: 'Här',
      'not allowed': 'Din roll där tillåter det inte',
      administration: 'I arkivets egen administration, inte över gränssnittet',
      never: 'Bara att läsa',
      unknown: 'Inte känt',
      'not there': 'Arkivet har inte',
    },
    changed: (name) => `Du arbetar nu för ${name}. Allt läses om.`,
  },
  files: {
    title: 'Filer',
    root: 'Paketet',
    name: 'Namn',
    size: 'Storlek',
    modified: 'Ändrad',
    none: 'Mappen är tom.',
    emptyFile: 'Filen är tom.',
    notFound:
      'Arkivet kan inte ge de här filerna nu: de kan ligga på band eller någon annanstans. Se ”Kopior”.',
    notAllowed: 'Din roll där låter dig inte öppna det här paketets filer.',
    path: 'Mapp',
    showFile: (name) => `Titta på ${name}`,
    open: (name) => `Öppna ${name}`,
    downloadWhole: 'Ladda ner hela filen',
    download: 'Ladda ner',
    preview: (name) => `Innehållet i ${name}`,
    sandbox: 'Visas avskilt från resten av Lectern: inget i filen kan köras eller nå ett nätverk.',
    downloads: 'Nedladdningar',
    states: {
      running: 'På väg',
      stopped: 'Stoppad',
      failed: 'Avbröts',
      done: 'Sparad',
      altered: 'Förändrad',
    },
    share: (done, all) => (all === null ? size(done, 'sv') : `${size(done, 'sv')} av ${size(all, 'sv')}`),
    stop: 'Stoppa',
    resume: 'Fortsätt',
    fetchAgain: 'Hämta den igen',
    forget: 'Ta bort från listan',
  },
  work: {
    title: 'Arbete i arkivet',
    states: {
      waiting: 'Väntar',
      running: 'Pågår',
      done: 'Klart',
      failed: 'Misslyckades',
      stopped: 'Stoppat',
      'not begun': 'Inte påbörjat',
    },
    failedAt: (state, number, label) =>
      `Tillståndet säger ”${state}”, men steg ${number} misslyckades: ${label}.`,
    failed: (label) => `Misslyckades: ${label}.`,
    said: 'Arkivet säger',
    later: (count) =>
      count === 1
        ? '1 händelse är nyare än det som finns här:'
        : `${n(count)} händelser är nyare än det som finns här:`,
    copies: (now, held) =>
      `Arkivet räknar nu ${now === 1 ? '1 kopia' : `${n(now)} kopior`}; ` +
      `${n(held)} är ${held === 1 ? 'känd' : 'kända'} här.`,
  },
  dips: {
    title: 'Utlämnandepaket',
    hint:
      'Arkivet hämtar paketen ur lagringen och sätter ihop dem för den här beställningen. Du kan gå ' +
      'härifrån när som helst; det fortsätter där det står.',
    agreement: 'Leveransöverenskommelse',
    begin: 'Gör paketet',
    act: 'göra utlämnandepaket',
    stages: {
      register: 'Registrerat',
      agree: 'Överenskommelse',
      prepare: 'Förberett',
      fetch: 'Ur lagringen',
      copy: 'Kopierat',
      create: 'Gjort',
    },
    doing: {
      register: 'Registreras',
      agree: 'Överenskommelse läggs till',
      prepare: 'Förbereds',
      fetch: 'Hämtas',
      copy: 'Kopieras',
      create: 'Görs',
    },
    states: {
      working: 'Arkivet arbetar med det.',
      stopped: 'Stoppat. Fortsätt när du vill.',
      failed: 'Det gick inte vidare.',
      done: 'Paketet är gjort.',
    },
    items: {
      'to do': 'inte begärt än',
      asked: 'läses ur lagringen',
      there: 'i ditt arbetsområde',
      copied: 'kopierat',
    },
    since: (when) => `, sedan ${when}`,
    unheard: (when) =>
      `, väntas på sedan ${when}: arkivet säger att det redan är i ditt arbetsområde eller på väg dit`,
    goOn: 'Fortsätt',
    stop: 'Stoppa',
    forget: 'Ta bort från listan',
    forgetHint: 'Även borttaget från listan blir det kvar som arkivet har av det.',
    show: 'Visa paketet',
    order: 'Visa beställningen',
    fetched: (done, all) => `${n(done)} av ${n(all)}`,
  },
  changes: {
    change: 'Ändra',
    title: (name) => `Ändra: ${name}`,
    hint: 'Bara det du ändrar skickas. Listor inuti en post ändras i arkivet självt.',
    save: 'Spara',
    saved: 'Sparat i arkivet.',
    startOver: 'Börja om från det som finns där nu',
    differ: (count) =>
      count === 1
        ? 'Någon annan har ändrat ett fält under tiden. Inget är sparat än.'
        : `Någon annan har ändrat ${n(count)} fält under tiden. Inget är sparat än.`,
    choose: 'Välj vad som ska stå i vart och ett, och spara sedan igen.',
    before: 'När du öppnade det',
    theirs: 'Där nu',
    mine: 'Ditt',
    keepTheirs: 'Behåll deras',
    keepMine: 'Behåll ditt',
  },
}
