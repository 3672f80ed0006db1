import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import tar from 'tar-stream'
import { ZipFile } from 'yazl'

const folder = path.resolve(import.meta.dirname, 'files')
const sample = path.resolve(import.meta.dirname, '../../resources/sample')

/** A file of some kind, and what is in it. */
export interface Specimen {
  name: string
  bytes: Buffer
}

/** Those that tools made, which are kept as they are. */
export const kept = (): Specimen[] =>
  readdirSync(folder).map((name) => ({ name, bytes: readFileSync(path.join(folder, name)) }))
/** Files of the practice archive, of kinds that nothing else here makes. */
export const sampled = (): Specimen[] =>
  [
    'bygglov/1/bygglov 1938–1951.siard',
    'bygglov/1/bygglov 1938–1951.sqlite',
    'bygglov/1/norra kajen 1947.gpkg',
    'e-post/1/harbour-office.mbox',
    'e-post/1/messages/2014-01-15, closing of the quay.msg',
    'hamnkontoret/1/läs mig.md',
    'oxen/2/ritningar/1952/plan 1, källare.dxf',
    'rakenskaper/1/räkenskaper 1938.csv',
  ].map((file) => ({ name: path.basename(file), bytes: readFileSync(path.join(sample, file)) }))
export const keptFile = (name: string) => readFileSync(path.join(folder, name))

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

/** The header of a recording of 16 bits on one channel, at 8 kHz; RF64 where it is longer than 4 GB. */
export const wavHeader = (dataBytes: number) => {
  const isLong = dataBytes > 0xfffffff0
  const header = Buffer.alloc(isLong ? 80 : 44)
  header.write(isLong ? 'RF64' : 'RIFF', 0, 'latin1')
  header.writeUInt32LE(isLong ? 0xffffffff : dataBytes + 36, 4)
  header.write('WAVE', 8, 'latin1')
  if (isLong) {
    header.write('ds64', 12, 'latin1')
    header.writeUInt32LE(28, 16)
    header.writeBigUInt64LE(BigInt(dataBytes + 72), 20)
    header.writeBigUInt64LE(BigInt(dataBytes), 28)
    header.writeBigUInt64LE(BigInt(dataBytes / 2), 36)
  }
  const at = isLong ? 48 : 12
  header.write('fmt ', at, 'latin1')
  header.writeUInt32LE(16, at + 4)
  header.writeUInt16LE(1, at + 8)
  header.writeUInt16LE(1, at + 10)
  header.writeUInt32LE(8_000, at + 12)
  header.writeUInt32LE(16_000, at + 16)
  header.writeUInt16LE(2, at + 20)
  header.writeUInt16LE(16, at + 22)
  header.write('data', at + 24, 'latin1')
  header.writeUInt32LE(isLong ? 0xffffffff : dataBytes, at + 28)
  return header
}

/** A tone that swells and fades, of some seconds. */
export const wav = (seconds: number) => {
  const samples = Buffer.alloc(seconds * 16_000)
  for (let at = 0; at < samples.length / 2; at += 1) {
    const loudness = Math.sin((at / (samples.length / 2)) * Math.PI * 3) ** 2
    samples.writeInt16LE(Math.round(Math.sin(at / 3) * 30_000 * loudness), at * 2)
  }
  return Buffer.concat([wavHeader(samples.length), samples])
}

export const zipOf = async (files: Record<string, string | Buffer>, isCompressed = true) => {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), name, {
      compress: isCompressed,
      mtime: new Date('2019-05-12T10:30:00'),
    })
  zip.end()
  return buffer(zip.outputStream.pipe(new PassThrough()))
}

export const tarOf = async (files: Record<string, string | Buffer>) => {
  const pack = tar.pack()
  for (const [name, content] of Object.entries(files))
    pack.entry({ name, mtime: new Date('2019-05-12T10:30:00Z') }, Buffer.from(content))
  pack.finalize()
  return buffer(pack.pipe(new PassThrough()))
}

interface Captured {
  address: string
  type: string
  body: string | Buffer
  status?: number
  /** It was the same as what was captured at this address. */
  sameAs?: string
}

const warcRecord = (headers: string[], block: Buffer) =>
  Buffer.concat([
    Buffer.from(['WARC/1.0', ...headers, `Content-Length: ${block.length}`, '', ''].join('\r\n')),
    block,
    Buffer.from('\r\n\r\n'),
  ])

const warcRecords = (captured: Captured[]) => [
  warcRecord(
    ['WARC-Type: warcinfo', 'WARC-Date: 2024-06-01T08:00:00Z', 'Content-Type: application/warc-fields'],
    Buffer.from('software: made for tests\r\n'),
  ),
  ...captured.map(({ address, type, body, status = 200, sameAs }, at) => {
    const http = `HTTP/1.1 ${status} OK\r\nContent-Type: ${type}\r\n\r\n`
    return warcRecord(
      [
        `WARC-Type: ${sameAs === undefined ? 'response' : 'revisit'}`,
        ...(sameAs === undefined ? [] : [`WARC-Refers-To-Target-URI: ${sameAs}`]),
        `WARC-Target-URI: ${address}`,
        `WARC-Date: 2024-06-01T08:00:${String(at).padStart(2, '0')}Z`,
        'Content-Type: application/http; msgtype=response',
      ],
      Buffer.concat([Buffer.from(http), Buffer.from(body)]),
    )
  }),
]

export const warc = (captured: Captured[]) => Buffer.concat(warcRecords(captured))
/** Each record compressed by itself, as crawlers do. */
export const warcGz = (captured: Captured[]) =>
  Buffer.concat(warcRecords(captured).map((one) => gzipSync(one)))

export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const captured: Captured[] = [
  {
    address: 'https://hamnkontoret.example/',
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><html><head><title>Hamnkontoret</title><link rel="stylesheet" href="/stil.css">
<script>window.ran = true</script></head><body><h1>Hamnkontoret</h1><p>Öppet vardagar 9–16.</p>
<img src="bild.png" alt="Kajen" width="120" height="60">
<img src="https://elsewhere.example/x.png" alt="Borta">
<p><a href="/om.html">Om oss</a> <a href="https://elsewhere.example/">Annat</a> <a
 href="javascript:ran=1">Nej</a></p>
</body></html>`,
  },
  {
    address: 'https://hamnkontoret.example/stil.css',
    type: 'text/css',
    body: 'h1 { color: rgb(140, 59, 42) }',
  },
  { address: 'https://hamnkontoret.example/bild.png', type: 'image/png', body: pixel },
  {
    address: 'https://hamnkontoret.example/om.html',
    type: 'text/html',
    body: '<title>Om oss</title><h1>Om hamnkontoret</h1><p>Grundat 1873.</p>',
  },
  { address: 'https://hamnkontoret.example/borta', type: 'text/html', body: 'Borta', status: 404 },
]

export const mets = `<?xml version="1.0" encoding="UTF-8"?>
<mets:mets xmlns:mets="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink" OBJID="UUID:1"
 LABEL="Byggnadsnämnden 1951" TYPE="SIP">
<mets:metsHdr CREATEDATE="2019-05-12T10:30:00+02:00"><mets:agent ROLE="CREATOR" TYPE="ORGANIZATION">
<mets:name>Stadsarkivet</mets:name></mets:agent></mets:metsHdr>
<mets:dmdSec ID="d1"><mets:mdWrap MDTYPE="DC"><mets:xmlData>
<dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">Bygglov
 kv. Oxen</dc:title></mets:xmlData></mets:mdWrap></mets:dmdSec>
<mets:fileSec><mets:fileGrp USE="master">
<mets:file ID="f1" MIMETYPE="image/tiff" SIZE="41000000" CREATED="2019-05-12T10:00:00+02:00"
 CHECKSUM="9c417be0"
 CHECKSUMTYPE="SHA-256"><mets:FLocat LOCTYPE="URL" xlink:href="file:///content/plan%201.tif"/></mets:file>
<mets:file ID="f2" MIMETYPE="application/pdf" SIZE="2000000"><mets:FLocat LOCTYPE="URL"
 xlink:href="file:///content/bygglov.pdf"/></mets:file>
</mets:fileGrp></mets:fileSec>
<mets:structMap LABEL="Ritningar"><mets:div LABEL="kv. Oxen 4"><mets:fptr FILEID="f1"/>
<mets:fptr FILEID="f2"/></mets:div>
</mets:structMap></mets:mets>`

export const premis = `<?xml version="1.0"?>
<premis:premis xmlns:premis="http://www.loc.gov/premis/v3" version="3.0">
<premis:object><premis:objectIdentifier><premis:objectIdentifierType>local</premis:objectIdentifierType>
<premis:objectIdentifierValue>obj-1</premis:objectIdentifierValue></premis:objectIdentifier>
<premis:objectCharacteristics><premis:fixity>
<premis:messageDigestAlgorithm>SHA-256</premis:messageDigestAlgorithm>
<premis:messageDigest>9c417be004d9e21f</premis:messageDigest></premis:fixity>
<premis:size>41000000</premis:size>
<premis:format><premis:formatDesignation><premis:formatName>TIFF</premis:formatName>
<premis:formatVersion>6.0</premis:formatVersion></premis:formatDesignation><premis:formatRegistry>
<premis:formatRegistryName>PRONOM</premis:formatRegistryName>
<premis:formatRegistryKey>fmt/353</premis:formatRegistryKey>
</premis:formatRegistry></premis:format></premis:objectCharacteristics>
<premis:originalName>plan 1.tif</premis:originalName></premis:object>
<premis:event><premis:eventIdentifier><premis:eventIdentifierType>local</premis:eventIdentifierType>
<premis:eventIdentifierValue>e1</premis:eventIdentifierValue></premis:eventIdentifier>
<premis:eventType>ingestion</premis:eventType>
<premis:eventDateTime>2019-05-12T10:30:00+02:00</premis:eventDateTime>
<premis:eventOutcomeInformation><premis:eventOutcome>success</premis:eventOutcome>
</premis:eventOutcomeInformation>
</premis:event><premis:agent><premis:agentName>Lectern</premis:agentName></premis:agent></premis:premis>`

export const ead = `<?xml version="1.0" encoding="UTF-8"?>
<ead xmlns="urn:isbn:1-931666-22-9"><eadheader><eadid>SE/1480/BN</eadid><filedesc><titlestmt>
<titleproper>Byggnadsnämndens arkiv</titleproper></titlestmt></filedesc></eadheader>
<archdesc level="fonds"><did><unitid>SE/1480/BN</unitid><unittitle>Byggnadsnämnden i Göteborg</unittitle>
<unitdate normal="1874/1970">1874–1970</unitdate><physdesc><extent unit="hyllmeter">412</extent></physdesc>
<origination><corpname>Byggnadsnämnden</corpname></origination></did>
<bioghist><head>Historik</head><p>Nämnden inrättades 1874.</p><p>Den <emph>prövade</emph> bygglov.</p>
</bioghist>
<scopecontent><p>Ritningar, protokoll och diarier.</p></scopecontent>
<dsc><c01 level="series"><did><unitid>A1</unitid><unittitle>Protokoll</unittitle>
<unitdate>1874–1951</unitdate></did>
<c02 level="file"><did><unitid>A1:1</unitid><unittitle>Protokoll 1874</unittitle></did></c02>
<c02 level="file"><did><unitid>A1:2</unitid><unittitle>Protokoll 1875</unittitle></did></c02></c01>
<c01 level="series"><did><unitid>F1</unitid><unittitle>Ritningar</unittitle></did><accessrestrict>
<p>Fritt.</p></accessrestrict></c01>
</dsc></archdesc></ead>`

export const dublinCore = `<?xml version="1.0"?>
<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/"
 xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>Källarplan, kv. Oxen 4</dc:title><dc:creator>Stadsarkitektkontoret</dc:creator>
<dc:date>1951-06-02</dc:date>
<dc:coverage>Göteborg</dc:coverage><dc:rights>Fri</dc:rights></oai_dc:dc>`

export const mods = `<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>Hamnen i bilder</title>
<subTitle>1873–1951</subTitle>
</titleInfo><name type="personal"><namePart>Åkesson, Astrid</namePart><role>
<roleTerm type="text">creator</roleTerm></role>
</name><originInfo><place><placeTerm type="text">Göteborg</placeTerm></place><dateIssued>1952</dateIssued>
</originInfo>
<abstract>Fotografier från hamnen.</abstract></mods>`

export const eac = `<?xml version="1.0"?><eac-cpf xmlns="urn:isbn:1-931666-33-4"><control>
<recordId>SE-1480-7</recordId></control>
<cpfDescription><identity><entityType>corporateBody</entityType><nameEntry><part>Hamnkontoret</part>
</nameEntry></identity>
<description><existDates><dateRange><fromDate>1873</fromDate><toDate>1970</toDate></dateRange></existDates>
<biogHist><p>Hamnkontoret förvaltade hamnen.</p></biogHist></description></cpfDescription></eac-cpf>`

export const json = JSON.stringify({
  diarium: [
    { nummer: '1951-114', ärende: 'Bygglov', sidor: 12, öppen: true },
    { nummer: '1951-115', ärende: 'Rivning "huset"', sidor: null, öppen: false },
  ],
})

export const xml = `<?xml version="1.0"?><register år="1951"><post nr="114">
<titel>Bygglov &amp; rivning</titel></post>
<!-- anmärkning --><post nr="115"><titel>Blandad <b>text</b> följer</titel></post></register>`

/** Files that are made when they are needed, at least one of every kind of this part of the table. */
export const made = async (): Promise<Specimen[]> => {
  const text = (name: string, content: string) => ({ name, bytes: Buffer.from(content) })
  const files = {
    'ritningar/1951/plan.txt': 'Källarplan',
    'skrivelser/brev.txt': 'Brev',
    'läs mig.txt': 'Läs',
  }
  return [
    { name: 'syn.wav', bytes: wav(2) },
    { name: 'paket.zip', bytes: await zipOf(files) },
    { name: 'lagrad.zip', bytes: await zipOf(files, false) },
    { name: 'paket.tar', bytes: await tarOf(files) },
    { name: 'paket.tar.gz', bytes: gzipSync(await tarOf(files)) },
    { name: 'brev.txt.gz', bytes: gzipSync('Hamnkontoret') },
    { name: 'webb.warc', bytes: warc(captured) },
    { name: 'webb.warc.gz', bytes: warcGz(captured) },
    text('sida.html', String(captured[0]?.body)),
    text('mets.xml', mets),
    text('premis.xml', premis),
    text('ead.xml', ead),
    text('dc.xml', dublinCore),
    text('mods.xml', mods),
    text('eac.xml', eac),
    text('register.xml', xml),
    { name: 'register16.xml', bytes: utf16(xml) },
    text('diarium.json', json),
    text('brev.txt', 'Hamnkontoret, å ä ö'),
    text(
      'ritning.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>',
    ),
    { name: 'punkt.png', bytes: pixel },
    { name: 'okänd.bin', bytes: Buffer.from([0, 1, 2, 255, 65]) },
  ]
}
