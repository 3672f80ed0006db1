import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Files of a package by their names in it. */
export type PackageFiles = Record<string, string | Buffer>

/** A METS as text, changed. */
type Change = (mets: string) => string

interface EArk {
  identifier?: string
  version?: '2.1.0' | '2.2.0'
  /** Files of its one representation, below data. */
  data?: PackageFiles
  /** Changes the METS of the representation before the digests of it are taken. */
  representation?: Change
  root?: Change
  /** The text of the file that describes it. */
  descriptive?: string
  /** Changes the files, the METS of the package among them, when everything is written. */
  files?: (files: PackageFiles) => PackageFiles
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const made = '2026-03-01T09:00:00Z'

/** What a METS says of a file's content. */
export const contentOf = (content: string | Buffer, type = 'text/plain') =>
  `MIMETYPE="${type}" SIZE="${Buffer.byteLength(content)}" CREATED="${made}" ` +
  `CHECKSUM="${sha256(content)}" CHECKSUMTYPE="SHA-256"`

const locator = (name: string) =>
  `LOCTYPE="URL" xlink:type="simple" xlink:href="${name.split('/').map(encodeURIComponent).join('/')}"`

const fileElement = (id: string, name: string, content: string | Buffer) =>
  `<file ID="${id}" ${contentOf(content)}><FLocat ${locator(name)}/></file>\n`

const reference = (name: string, content: string | Buffer, type: string) =>
  `<mdRef ${locator(name)} MDTYPE="${type}" ${contentOf(content, 'text/xml')}/>`

const beginning = (identifier: string, version: string) =>
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink"\n' +
  '  xmlns:csip="https://DILCIS.eu/XML/METS/CSIPExtensionMETS"\n' +
  '  xmlns:sip="https://DILCIS.eu/XML/METS/SIPExtensionMETS"\n' +
  `  OBJID="${identifier}" LABEL="Protocols" TYPE="Mixed" csip:CONTENTINFORMATIONTYPE="MIXED"\n` +
  `  PROFILE="https://earksip.dilcis.eu/profile/E-ARK-SIP-v${version.replaceAll('.', '-')}.xml">\n`

const agents = `
  <agent ROLE="CREATOR" TYPE="OTHER" OTHERTYPE="SOFTWARE"><name>Maker</name>
    <note csip:NOTETYPE="SOFTWARE VERSION">1.0</note></agent>
  <agent ROLE="ARCHIVIST" TYPE="ORGANIZATION"><name>Harbour board</name>
    <note csip:NOTETYPE="IDENTIFICATIONCODE">A1</note></agent>
  <agent ROLE="CREATOR" TYPE="ORGANIZATION"><name>Town office</name>
    <note csip:NOTETYPE="IDENTIFICATIONCODE">B2</note></agent>
  <agent ROLE="PRESERVATION" TYPE="ORGANIZATION"><name>City archive</name>
    <note csip:NOTETYPE="IDENTIFICATIONCODE">C3</note></agent>
  <altRecordID TYPE="SUBMISSIONAGREEMENT">SA-7</altRecordID>
  <altRecordID TYPE="REFERENCECODE">R-9</altRecordID>
`
const header = (agentsOfIt: string) =>
  `<metsHdr CREATEDATE="${made}" RECORDSTATUS="NEW" csip:OAISPACKAGETYPE="SIP">${agentsOfIt}</metsHdr>\n`

const representationMets = (data: PackageFiles, own: PackageFiles, version: string) => {
  const premis = 'metadata/preservation/premis.xml'
  const files = Object.entries(data).map(([name, content], index) =>
    fileElement(`file-${index}`, `data/${name}`, content),
  )
  return (
    `${beginning('rep1', version)}${header('')}` +
    `<amdSec><digiprovMD ID="premis" STATUS="CURRENT">${reference(premis, own[premis] ?? '', 'PREMIS')}` +
    '</digiprovMD></amdSec>\n' +
    `<fileSec ID="files"><fileGrp ID="data" USE="Data">\n${files.join('')}</fileGrp></fileSec>\n` +
    '<structMap ID="map" TYPE="PHYSICAL" LABEL="CSIP"><div ID="top" LABEL="rep1">' +
    '<div ID="metadata" LABEL="Metadata" ADMID="premis"/>' +
    '<div ID="data-division" LABEL="Data"><fptr FILEID="data"/></div></div></structMap>\n</mets>\n'
  )
}

const rootMets = (identifier: string, version: string, files: PackageFiles) => {
  const at = (name: string): [string, string | Buffer] => [name, files[name] ?? '']
  const file = (id: string, name: string) => fileElement(id, ...at(name))
  const section = (name: string, type: string) => reference(...at(name), type)
  return (
    `${beginning(identifier, version)}${header(agents)}` +
    `<dmdSec ID="dmd" CREATED="${made}" STATUS="CURRENT">` +
    `${section('metadata/descriptive/dc.xml', 'DC')}</dmdSec>\n<amdSec>` +
    `<rightsMD ID="rights" STATUS="CURRENT">${section('metadata/other/rights.xml', 'METSRIGHTS')}` +
    '</rightsMD>\n' +
    `<digiprovMD ID="premis" STATUS="CURRENT">${section('metadata/preservation/premis.xml', 'PREMIS')}` +
    `</digiprovMD></amdSec>\n<fileSec ID="files">\n` +
    `<fileGrp ID="documentation" USE="Documentation">${file('doc', 'documentation/about.txt')}</fileGrp>\n` +
    `<fileGrp ID="schemas" USE="Schemas">${file('xsd', 'schemas/own.xsd')}</fileGrp>\n` +
    `<fileGrp ID="rep" USE="Representations/rep1" csip:CONTENTINFORMATIONTYPE="MIXED">` +
    `${file('rep-mets', 'representations/rep1/METS.xml')}</fileGrp>\n</fileSec>\n` +
    `<structMap ID="map" TYPE="PHYSICAL" LABEL="CSIP"><div ID="top" LABEL="${identifier}">\n` +
    '<div ID="d-metadata" LABEL="Metadata" DMDID="dmd" ADMID="rights premis"/>\n' +
    '<div ID="d-documentation" LABEL="Documentation"><fptr FILEID="documentation"/></div>\n' +
    '<div ID="d-schemas" LABEL="Schemas"><fptr FILEID="schemas"/></div>\n' +
    '<div ID="d-rep" LABEL="Representations/rep1"><mptr LOCTYPE="URL" xlink:type="simple" ' +
    'xlink:href="representations/rep1/METS.xml" xlink:title="rep"/></div>\n' +
    '</div></structMap>\n</mets>\n'
  )
}

/** The files of an E-ARK SIP that breaks no rule, unless it is changed. */
export const eArkFiles = ({
  identifier = 'package-1',
  version = '2.2.0',
  data = { 'a.txt': 'a', 'folder/å b%.txt': 'b' },
  representation = (mets) => mets,
  root = (mets) => mets,
  descriptive = '<dc/>',
  files = (all) => all,
}: EArk = {}): PackageFiles => {
  const own = { 'metadata/preservation/premis.xml': '<premis/>' }
  const within: PackageFiles = {
    ...own,
    ...Object.fromEntries(Object.entries(data).map(([name, content]) => [`data/${name}`, content])),
    'METS.xml': representation(representationMets(data, own, version)),
  }
  const all: PackageFiles = {
    'metadata/descriptive/dc.xml': descriptive,
    'metadata/preservation/premis.xml': '<premis version="3.0"/>',
    'metadata/other/rights.xml': '<rights/>',
    'documentation/about.txt': 'About',
    'schemas/own.xsd': '<schema/>',
    ...Object.fromEntries(
      Object.entries(within).map(([name, content]) => [`representations/rep1/${name}`, content]),
    ),
  }
  return files({ ...all, 'METS.xml': root(rootMets(identifier, version, all)) })
}

/** Writes a package as a folder. */
export const writeFolder = (folder: string, files: PackageFiles) => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  return folder
}
