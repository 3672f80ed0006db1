/** What package formats are called, by their names in reports; no language has words of its own for them. */
export const packageFormats: Readonly<Record<string, string>> = {
  bagit: 'BagIt',
  'e-ark-sip': 'E-ARK SIP',
  'e-ark-csip': 'E-ARK CSIP',
  'fgs-1': 'FGS Paketstruktur 1',
  mets: 'METS',
}
