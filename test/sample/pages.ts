/** Pages as HTML, for Chromium to print and LibreOffice to save in its formats. */
const page = (title: string, body: string) =>
  `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title><style>
  @page { size: A4; margin: 25mm 22mm }
  body { font: 12pt/1.5 Serif4, serif; color: #222 } h1 { font-size: 19pt; font-weight: 600 }
  h2 { font-size: 14pt } table { border-collapse: collapse; width: 100% }
  td, th { border-bottom: 0.5pt solid #999; padding: 3pt; text-align: left }
  .next { break-before: page } .small { font-size: 10pt; color: #555 }
  </style></head><body>${body}</body></html>`

/** A building permit of three pages. */
export const permit = (): string =>
  page(
    'Bygglov 1951-114',
    `<p class="small">Byggnadsnämnden · Dnr 1951-114 · Kv. Oxen 4</p><h1>Bygglov för ändring av källare</h1>
    <p>Byggnadsnämnden beviljade den 12 april 1951 lov att i fastigheten Oxen 4 inreda tvättstuga, förråd för
    cyklar och ett skyddsrum för fyrtio personer i källaren.</p>
    <h2>Skäl</h2><p>Huset uppfördes 1938 efter ritningar av stadsarkitekten. Pannrummet eldas numera med olja,
    och det gamla kolförrådet står tomt. Brandchefen har inget att erinra mot att gången mellan trapphusen
    breddas till en meter och fyrtio.</p>
    <h2 class="next">Ritningar som hör till lovet</h2>
    <table><tr><th>Blad</th><th>Innehåll</th><th>Skala</th></tr>
    <tr><td>1</td><td>Källarplan</td><td>1:100</td></tr>
    <tr><td>2–4</td><td>Plan 2, 3 och 4</td><td>1:100</td></tr>
    <tr><td>5</td><td>Situationsplan</td><td>1:2 000</td></tr>
    <tr><td>6</td><td>Färgförslag</td><td>1:100</td></tr>
    </table><p>Bladen förvaras i volym E1:7. Villkoren är bifogade.</p>
    <h2 class="next">Syn den 2 juni 1951</h2>
    <p>Vid synen var byggherren, arkitekten och brandchefen närvarande.
    Dörren till skyddsrummet öppnas utåt, som föreskrivet. Färgen på fasaden mot norr godkändes efter prov på
    platsen. Synen spelades in på stålband; inspelningen finns bland ljudupptagningarna.</p>
    <p>Justerat den 9 juni 1951</p>`,
  )

/** What the neighbours were asked, and what they answered. */
export const consultation = (): string =>
  page(
    'Remissvar',
    `<h1>Remissvar om kv. Oxen 4</h1><p>Till Byggnadsnämnden, den 3 mars 1951</p>
    <p>Grannarna i Oxen 5 har tagit del av ritningarna och har inget emot att källaren inreds. De ber att
    <b>infarten till garaget</b> läggs mot Hamngatan, så att gården förblir lekplats.</p>
    <table><tr><th>Granne</th><th>Svar</th></tr><tr><td>Oxen 3</td><td>Tillstyrker</td></tr>
    <tr><td>Oxen 5</td><td>Tillstyrker med önskemål</td></tr>
    <tr><td>Lejonet 1</td><td>Inget svar</td></tr></table>
    <p>Högaktningsfullt<br>E. Hallberg, ordförande</p>`,
  )

/** A letter of the harbour office. */
export const harbourLetter = (): string =>
  page(
    'Letter of the harbour master',
    `<p>Harbour Office, Northern Quay<br>14 October 1938</p><h1>Repair of crane no. 3</h1>
    <p>To the City Architect</p><p>Sir, after the storm of the 9th the jib of crane no. 3 stands two feet out
    of line. The foundation toward the water has sunk, as your own survey of 1934 foretold. I ask that the
    drawing of the foundation be sent to us before the ice comes, and that nobody unload more than two tons
    with it until then.</p><p>We have moved the grain ships to the eastern quay; the dues of the week are in
    the enclosed account.</p><p>Your obedient servant<br><i>J. Lindqvist, harbour master</i></p>`,
  )

/** Minutes of two meetings. */
export const minutes = (): string =>
  page(
    'Protokoll',
    `<h1>Hamnstyrelsens protokoll</h1><h2>§ 41 Lyftkran nr 3</h2><p>Styrelsen beslöt att låta förstärka
    grunden och att anslå 4 200 kronor ur underhållsmedlen.</p><h2>§ 42 Belysningen på Norra kajen</h2>
    <p>Elverket ombads lämna anbud på åtta stolpar med glödlampor om 300 watt.</p>
    <h2 class="next">§ 43 Hamnavgifter</h2><p>Avgiften för skutor under 40 ton sänks till 2 kronor och 50 öre
    per dygn från den 1 januari 1939.</p><p>Justerat: J. Lindqvist, K. Åberg</p>`,
  )
