import type { TermName } from './terms.en.ts'

export const termsSv: Record<TermName, { word: string; means: string }> = {
  package: {
    word: 'Paket',
    means:
      'Det som arkivet förvarar som ett: filer, och uppgifterna om dem. Det står en gång i listan, hur ' +
      'många generationer det än har.',
  },
  aip: {
    word: 'AIP',
    means: 'Arkivpaket: en generation av ett paket, så som arkivet lagrar och kopierar den.',
  },
  aic: {
    word: 'AIC',
    means:
      'Det som håller ihop alla generationer av ett paket. Det har inga egna filer; de finns i dess AIP.',
  },
  sip: {
    word: 'SIP',
    means:
      'Leveranspaket: paketet i den form som det skickas. Lectern packar det som en BagIt-bag ' +
      'eller en E-ARK SIP.',
  },
  dip: {
    word: 'Utlämnandepaket (DIP)',
    means:
      'Ett paket som arkivet gör av andra för en beställning, att lämna ut. Det som är bevarat förblir som ' +
      'det är.',
  },
  generation: {
    word: 'Generation',
    means:
      'Ett bevarat tillstånd av ett paket. En senare generation ställs bredvid de tidigare; ingen skrivs ' +
      'över.',
  },
  copy: {
    word: 'Kopia',
    means:
      'En generation av ett paket på ett medium. Arkiv kallar den lagringsobjekt. Policyn säger hur många ' +
      'det ska finnas.',
  },
  medium: {
    word: 'Medium',
    means:
      'Det som kopior skrivs till: ett band, en disk eller en plats i en objektlagring. Det har en ' +
      'placering.',
  },
  target: {
    word: 'Mål',
    means:
      'Dit en lagringsmetod skriver: en serie band, en mapp på en disk, en objektlagring. Medierna hör ' +
      'till ' +
      'det. Från ett avstängt mål hämtas inget.',
  },
  method: {
    word: 'Metod',
    means:
      'Hur en policy låter skriva en kopia, till exempel till band eller till disk. Varje metod som är på ' +
      'betyder en kopia.',
  },
  policy: {
    word: 'Policy',
    means: 'Arkivets regel för hur paket lagras: vilka metoder, och därmed hur många kopior av vilket slag.',
  },
  container: {
    word: 'Behållare',
    means: 'En kopia som är en enda fil (tar), med paketets alla filer i.',
  },
  transfer: {
    word: 'Överföring',
    means:
      'Det du skickar till arkivet, från utkast till bevarad. Den blir ett paket, eller en ny generation ' +
      'av ' +
      'ett.',
  },
  draft: {
    word: 'Utkast',
    means: 'En överföring som inte är packad än. Den sparas på den här datorn medan du skriver.',
  },
  outbox: {
    word: 'Utkorg',
    means:
      'Det som är klart att gå till arkivet och väntar på att nå det: överföringar, beställningar och ' +
      'poster som har skapats. Det skickas av sig självt.',
  },
  delivery: {
    word: 'Leverans',
    means:
      'Det som överföringar hör till: vad en organisation lämnar över vid ett tillfälle, fört i arkivets ' +
      'register.',
  },
  agreement: {
    word: 'Leveransöverenskommelse',
    means:
      'Det som arkivet och den som levererar är överens om: hur paketen ska vara gjorda, och enligt vilken ' +
      'policy de lagras.',
  },
  profile: {
    word: 'Profil',
    means: 'Skrivna regler för hur ett paket är uppbyggt och vilka uppgifter det ska ha.',
  },
  ingest: {
    word: 'Inkorg',
    means: 'En mapp ur vilken ett arkiv tar emot det som läggs där. Alla arkiv har inte en sådan.',
  },
  batch: {
    word: 'Omgång',
    means: 'Många överföringar som påbörjas på en gång, ur en tabell eller en mapp med mappar.',
  },
  packageFormat: {
    word: 'BagIt-bag',
    means:
      'En mapp, tar eller zip med filerna, en lista över deras kontrollsummor och några rader om varifrån ' +
      'de kommer (RFC 8493). Vilken dator som helst kan kontrollera den.',
  },
  manifest: {
    word: 'Manifest',
    means: 'Listan i en bag som nämner varje fil med dess kontrollsumma.',
  },
  digest: {
    word: 'Kontrollsumma',
    means:
      'Ett tal som räknas fram ur varje byte i en fil, till exempel med SHA-256. Skiljer sig en enda byte ' +
      'blir talet ett annat.',
  },
  fixity: {
    word: 'Oförändrat skick',
    means:
      'Att en fil byte för byte är vad den var. Det visas genom att räkna fram kontrollsumman igen och ' +
      'jämföra.',
  },
  mets: {
    word: 'METS',
    means:
      'Filen där ett arkiv skriver ner vad ett paket består av, med storlek och kontrollsumma för varje fil.',
  },
  archive: {
    word: 'Arkiv (arkivbestånd)',
    means: 'Alla handlingar från en arkivbildare, överst i beskrivningens träd.',
  },
  structure: {
    word: 'Struktur',
    means: 'Hur ett arkiv är ordnat: ett träd av strukturenheter, med sina regler och sin version.',
  },
  unit: {
    word: 'Strukturenhet',
    means: 'En rubrik i en struktur: en klass, en serie, en process. Beskrivningsenheter placeras i den.',
  },
  node: {
    word: 'Beskrivningsenhet',
    means:
      'Det som beskrivs som ett i trädet (ISAD(G)): ett arkiv, en volym, ett ärende, en handling. Den ' +
      'heter nod i ESSArch.',
  },
  code: {
    word: 'Referenskod',
    means: 'Koden som man hänvisar till en handling med, som SE/STA/1443.',
  },
  agent: {
    word: 'Aktör',
    means: 'En person, släkt eller organisation som har haft med handlingarna att göra.',
  },
  creator: {
    word: 'Arkivbildare',
    means: 'Aktören i vars verksamhet handlingarna kom till.',
  },
  location: {
    word: 'Placering',
    means: 'Var något står: byggnad, rum, hylla. Medier och volymer har en.',
  },
  vocabulary: {
    word: 'Vokabulär',
    means: 'En lista över de värden som ett fält får ha, till exempel slag av aktörer.',
  },
  event: {
    word: 'Händelse',
    means:
      'Vad arkivet har gjort med ett paket, när, och hur det gick, med arkivets egna ord (PREMIS). ' +
      'Händelser ändras inte i efterhand.',
  },
  journal: {
    word: 'Journal',
    means:
      'Vad som har gjorts på den här arbetsplatsen, rad för rad. Varje rad är bunden till den före, så att ' +
      'en ändring i efterhand syns.',
  },
  receipt: {
    word: 'Kvitto',
    means:
      'Papperet som säger vad som skickades, vad arkivet har bevarat av det, och om originalen får raderas.',
  },
  order: {
    word: 'Beställning',
    means: 'De paket som begärs vid ett tillfälle, med uppgift om var vart och ett ligger.',
  },
  slip: {
    word: 'Beställningssedel',
    means: 'Papperet som följer med det som hämtas. Dess kod leder tillbaka till paketet.',
  },
  walkingList: {
    word: 'Framtagningslista',
    means: 'Det som ska hämtas för en beställning, efter rum och medium, för en framtagning.',
  },
}
