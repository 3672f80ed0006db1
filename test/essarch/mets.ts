import { createHash, randomUUID } from 'node:crypto'

/** A file of a package as its METS names it. */
export interface NamedFile {
  path: string
  content: Buffer
}

/** An AIP's METS: each file with its size and its MD5, as the archive's own says them. */
export const metsOf = (identifier: string, files: readonly NamedFile[]): string => {
  const entries = files.map(({ path, content }) => {
    const sum = createHash('md5').update(content).digest('hex')
    const href = `file:///${path}`.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    return (
      `<mets:file ID="ID${randomUUID()}" SIZE="${content.length}" CHECKSUM="${sum}" CHECKSUMTYPE="MD5">` +
      `<mets:FLocat LOCTYPE="URL" xlink:type="simple" xlink:href="${href}"/></mets:file>`
    )
  })
  return (
    `<?xml version='1.0' encoding='UTF-8'?>\n<mets:mets xmlns:mets="http://www.loc.gov/METS/" ` +
    `xmlns:xlink="http://www.w3.org/1999/xlink" OBJID="UUID:${identifier}"><mets:fileSec>` +
    `<mets:fileGrp USE="root">${entries.join('\n')}</mets:fileGrp></mets:fileSec></mets:mets>\n`
  )
}
