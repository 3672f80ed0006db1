/** How many rows of each list a copy has. Copies are one of each of the first packages. */
export interface Mix {
  packages: number
  copies: number
  /** In archives of a thousand: one at the top, and all others below it. */
  nodes: number
}

export const readAt = '2026-01-01T00:00:00.000Z'
export const media = 40
export const policies = 3
export const creators = 300
export const ofArchive = 1_000
export const firstMoment = Date.UTC(2005, 0, 1)

const firsts =
  'byggnads skol kyrko bro hamn gatu järnvägs fiske folk fångvårds fattigvårds stads landstings sjukhus ' +
  'vatten torg lant bruks gruv skogs jord tull kvarters domstols brand arbets sockens härads prästgårds ' +
  'marknads biblioteks teater museums idrotts bad kraft avlopps mäteri regements varvs'
const lasts =
  'ritning protokoll karta räkning handling förteckning dagbok brev fotografi skrivelse liggare diarium ' +
  'akt rulla matrikel längd journal avtal utredning besiktning beskrivning register plan ordning bok'
const syllables = [
  'al berg björk bly brand dal dan eke ene eng falk fin fjäll flod fors fur gran gull hag hal hav hed ' +
    'hjort holm häll hög is kall klint klo knut kvarn kul lax lek lill lin lju lund löv mal mar ' +
    'mo mos myr norr ' +
    'näs ob or ox ram ris ros ryd rön sand sjö skog sol',
  'a an ar as bo bro by da de di do e el en er es fa fe fi ga ge gi go ha he hi ho i ing is ka ke ki ko ' +
    'la le li lo ma me mi mo na ne ni no o ol on or os ra re ri ro sa se si',
  'backen baden berget boda borg bron by dalen den eken fallet fors gard grav grund gård hagen hall hamn ' +
    'hed holm hus hyttan kullen köping lid lund lösa mark mo måla nor näs ort rod ryd rum sala ' +
    'sjö skog stad sta ' +
    'strand sund tomt torp tuna vad vall vik viken vret ås åker äng ön torpet kärr',
].map((text) => text.split(' '))
const [first = [], last = []] = [firsts, lasts].map((text) => text.split(' '))
export const lists = { first, last, a: syllables[0] ?? [], b: syllables[1] ?? [], c: syllables[2] ?? [] }
export type Part = keyof typeof lists

/** Where a number stands in lists of which one after the other has gone round. */
const partsOf = (number: number, parts: Part[]) => {
  let rest = number
  return parts
    .map((part) => {
      const words = lists[part]
      const word = words[rest % words.length] ?? ''
      rest = Math.floor(rest / words.length)
      return word
    })
    .join('')
}
/** A thousand words that are put together, as "byggnadsritning". */
const nounOf = (number: number) => partsOf(number, ['first', 'last'])
/** 200 000 names of places. */
const placeOf = (number: number) => partsOf(number, ['a', 'b', 'c'])

export const packageId = (number: number) =>
  `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000001`
const policyId = (number: number) => `0000000${number}-0000-4000-8000-000000000009`

/** What the list of packages shows of one alone, as the interface gives it. */
export const filledPackage = (number: number) => ({
  id: packageId(number),
  label: `${nounOf(number)} i kvarteret ${placeOf(number)}, volym ${number}`,
  object_identifier_value: `SE/STA/${number}`,
  package_type_display: 'AIP',
  state: number % 20 === 3 ? 'Received' : 'Preserved',
  object_size: 1_000_000 + number,
  entry_date: new Date(firstMoment + number * 60_000).toISOString(),
  policy: policyId(number % policies),
  archived: true,
  agents: { CREATOR_ORGANIZATION: { name: `Byggnadsnämnden i Östra hamnen ${number % creators}` } },
})
export const filledCopy = (number: number) => ({
  id: `c${number}`,
  ip: packageId(number),
  medium_id: `LTO-${number % media}`,
  storage_medium: `m${number % media}`,
  target_name: 'Tape',
  target_target: 'LTO',
  content_location_type: 300,
  content_location_value: `/ess/store/LTO-${number % media}/${placeOf(number)}/${number}.tar`,
  last_changed_local: readAt,
  container: true,
})
export const filledNode = (number: number) => {
  const top = Math.floor(number / ofArchive)
  const isTop = number % ofArchive === 0
  return {
    id: `t${number}`,
    name: `${nounOf(number)} från ${placeOf(number)}`,
    reference_code: isTop ? `SE/STA/A${top}` : `SE/STA/A${top}/${number % ofArchive}`,
    type: 'Volym',
    parent: isTop ? null : `t${top * ofArchive}`,
  }
}
export const filledMedium = (number: number) => ({
  id: `m${number}`,
  medium_id: `LTO-${number}`,
  status: 20,
  location: `Room ${number % 5}`,
  storage_target: 't',
})
export const filledPolicy = (number: number) => ({
  id: policyId(number),
  policy_name: `Policy ${number}`,
  policy_stat: true,
  storage_methods: [{ id: 's', name: 'Tape', enabled: true, type: 300, containers: true }],
})

export const many = function* <T>(count: number, make: (number: number) => T) {
  for (let number = 0; number < count; number += 1) yield make(number)
}
