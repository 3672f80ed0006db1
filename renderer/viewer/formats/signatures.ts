/** A format that files can be known by at their beginning. */
export interface Signature {
  name: string
  /** Its number in PRONOM, where that says no more than the beginning does. */
  pronom?: string
  /** Bytes as characters. */
  begins: string
  /** Where it stands. */
  from?: number
}

/**
 * Formats that archives hold and that nothing is drawn of; those that begin with more before those that begin
 * with less. Numbers from PRONOM (nationalarchives.gov.uk/PRONOM): where several of its formats begin so, as
 * versions of RAR, patterns of MXF or what lies in ASF do, there is none.
 */
const signatures: readonly Signature[] = [
  { name: '7-Zip', pronom: 'fmt/484', begins: '7z\xbc\xaf\x27\x1c' },
  { name: 'RAR 5', pronom: 'fmt/613', begins: 'Rar!\x1a\x07\x01\x00' },
  { name: 'RAR', begins: 'Rar!\x1a\x07\x00' },
  { name: 'XZ', pronom: 'fmt/1098', begins: '\xfd7zXZ\x00' },
  { name: 'BZIP2', pronom: 'x-fmt/268', begins: 'BZh' },
  { name: 'Zstandard', begins: '\x28\xb5\x2f\xfd' },
  { name: 'Microsoft Cabinet', pronom: 'x-fmt/414', begins: 'MSCF\0\0\0\0' },
  { name: 'ISO 9660', begins: 'CD001', from: 32_769 },
  { name: 'Expert Witness (E01)', begins: 'EVF\x09\x0d\x0a\xff\x00' },
  {
    name: 'Microsoft Compound File (Word, Excel, PowerPoint …)',
    pronom: 'fmt/111',
    begins: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
  },
  { name: 'Outlook PST', begins: '!BDN' },
  { name: 'Microsoft Access (Jet 4)', begins: '\0\x01\0\0Standard Jet DB' },
  { name: 'Microsoft Access (ACE)', begins: '\0\x01\0\0Standard ACE DB' },
  { name: 'SQLite 3', begins: 'SQLite format 3\0' },
  { name: 'WordPerfect', begins: '\xffWPC' },
  { name: 'Rich Text Format', begins: '{\\rtf' },
  { name: 'PostScript (EPS)', begins: '\xc5\xd0\xd3\xc6' },
  { name: 'PostScript', begins: '%!PS' },
  { name: 'DjVu', begins: 'AT&TFORM' },
  { name: 'Windows Help', begins: '?_\x03\0' },
  { name: 'Lotus 1-2-3', begins: '\0\0\x02\0\x06\x04\x06\0' },
  { name: 'AutoCAD DWG (R14)', begins: 'AC1014' },
  { name: 'AutoCAD DWG (2000)', begins: 'AC1015' },
  { name: 'AutoCAD DWG (2004)', begins: 'AC1018' },
  { name: 'AutoCAD DWG (2007)', begins: 'AC1021' },
  { name: 'AutoCAD DWG (2010)', begins: 'AC1024' },
  { name: 'AutoCAD DWG (2013)', begins: 'AC1027' },
  { name: 'AutoCAD DWG (2018)', begins: 'AC1032' },
  { name: 'ESRI Shapefile', pronom: 'x-fmt/235', begins: '\0\0\x27\x0a\0\0\0\0' },
  { name: 'HDF5', begins: '\x89HDF\r\n\x1a\n' },
  { name: 'NetCDF', begins: 'CDF\x01' },
  { name: 'FITS', begins: 'SIMPLE  =' },
  { name: 'Apache Parquet', begins: 'PAR1' },
  { name: 'SPSS', begins: '$FL2' },
  { name: 'SAS Transport', begins: 'HEADER RECORD*******LIBRARY HEADER RECORD' },
  { name: 'Adobe Photoshop', pronom: 'x-fmt/92', begins: '8BPS\0\x01' },
  { name: 'Adobe Photoshop, large', begins: '8BPS\0\x02' },
  { name: 'TIFF, little-endian', begins: 'II*\0' },
  { name: 'TIFF, big-endian', begins: 'MM\0*' },
  { name: 'JPEG 2000', begins: '\0\0\0\x0cjP  \r\n\x87\n' },
  { name: 'JPEG XL', begins: '\0\0\0\x0cJXL \r\n\x87\n' },
  { name: 'Canon Raw', begins: 'II\x1a\0\0\0HEAPCCDR' },
  { name: 'OpenEXR', begins: '\x76\x2f\x31\x01' },
  { name: 'DPX', begins: 'SDPX' },
  { name: 'DPX', begins: 'XPDS' },
  { name: 'PCX', begins: '\x0a\x05\x01' },
  { name: 'Windows Icon', begins: '\0\0\x01\0' },
  { name: 'Windows Metafile', begins: '\xd7\xcd\xc6\x9a' },
  { name: 'AIFF', begins: 'AIFF', from: 8 },
  { name: 'AVI', pronom: 'fmt/5', begins: 'AVI ', from: 8 },
  { name: 'Sun Audio', begins: '.snd' },
  { name: 'MIDI', pronom: 'x-fmt/230', begins: 'MThd' },
  {
    name: 'Advanced Systems Format (WMA, WMV)',
    begins: '\x30\x26\xb2\x75\x8e\x66\xcf\x11',
  },
  { name: 'RealMedia', begins: '.RMF' },
  { name: 'Material Exchange Format (MXF)', begins: '\x06\x0e\x2b\x34\x02\x05\x01\x01' },
  { name: 'MPEG program stream', begins: '\0\0\x01\xba' },
  { name: 'MPEG video', begins: '\0\0\x01\xb3' },
  { name: 'Flash Video', pronom: 'x-fmt/382', begins: 'FLV\x01' },
  { name: 'Shockwave Flash', begins: 'FWS' },
  { name: 'Shockwave Flash, compressed', begins: 'CWS' },
  { name: 'TrueType', pronom: 'x-fmt/453', begins: '\0\x01\0\0\0' },
  { name: 'OpenType', pronom: 'fmt/520', begins: 'OTTO' },
  { name: 'Web Open Font Format', begins: 'wOFF' },
  { name: 'Java class', pronom: 'x-fmt/415', begins: '\xca\xfe\xba\xbe' },
  { name: 'ELF program', begins: '\x7fELF' },
  { name: 'Windows or DOS program', begins: 'MZ' },
]

/** What a file is by how it begins. @param bytes the first 36 KiB, or fewer */
export const signatureOf = (bytes: Uint8Array): Signature | undefined => {
  const isAt = (begins: string, from: number) => {
    for (let at = 0; at < begins.length; at += 1) if (bytes[from + at] !== begins.charCodeAt(at)) return false
    return true
  }
  return signatures.find(({ begins, from = 0 }) => isAt(begins, from))
}
