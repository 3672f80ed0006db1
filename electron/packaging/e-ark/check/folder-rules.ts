import type { PackageContents } from './package-contents.ts'
import type { RuleId } from './rules.ts'

/** Tests the rules of the folders of a package (CSIPSTR). */
export const testFolders = (
  { folders, place }: PackageContents,
  breaks: (rule: RuleId, detail?: string) => void,
) => {
  const { rootFolders, metadataFolders, representations, strayFiles } = folders
  if (place.form !== 'folder' && place.top === '') breaks('CSIPSTR1')
  if (!rootFolders.has('metadata')) breaks('CSIPSTR5')
  if (rootFolders.has('preservation')) breaks('CSIPSTR6', 'preservation')
  if (!metadataFolders.has('descriptive')) breaks('CSIPSTR7', 'metadata/descriptive')
  if (!rootFolders.has('representations')) breaks('CSIPSTR9')
  else if (strayFiles > 0 || representations.size === 0) breaks('CSIPSTR10', `${strayFiles}`)
  const all = [...representations]
  for (const [name, folder] of all) {
    const where = `representations/${name}`
    if (!folder.hasData) breaks('CSIPSTR11', where)
    if (!folder.hasMets) breaks('CSIPSTR12', where)
    if (!folder.hasMetadata) breaks('CSIPSTR13', where)
  }
  const has = (name: 'hasSchemas' | 'hasDocumentation') => all.some(([, folder]) => folder[name])
  if (!rootFolders.has('schemas') && !has('hasSchemas')) breaks('CSIPSTR15')
  if (!rootFolders.has('documentation') && !has('hasDocumentation')) breaks('CSIPSTR16')
}
