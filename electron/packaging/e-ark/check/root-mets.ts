import { ContainerError } from '../../entries/container-error.ts'
import { partsOf } from '../../entries/file-parts.ts'
import { packageFiles } from '../../entries/package-files.ts'
import { metsNamespace } from './mets-context.ts'
import type { PackageContents } from './package-contents.ts'

const headBytes = 64 * 1024

/** Whether the beginning of a file is that of a METS. */
const isMets = async (contents: PackageContents, name: string): Promise<boolean> => {
  const files = packageFiles(contents.place)
  try {
    const file = files.open(name)
    if (file === undefined || typeof file === 'string') return false
    try {
      for await (const part of partsOf(file)) {
        const head = part.toString('utf8', 0, headBytes)
        return /<(?:[\w.-]+:)?mets[\s>]/.test(head) && head.includes(metsNamespace)
      }
    } finally {
      file.close()
    }
  } catch (error) {
    if (!(error instanceof ContainerError)) throw error
  } finally {
    files.close()
  }
  return false
}

/**
 * The METS in the root folder of a package: METS.xml, as E-ARK has it; mets.xml, as ESSArch; sip.xml, aip.xml
 * or info.xml, as FGS 1 and what came before it. What has another name than the first must begin as one.
 */
export const rootMetsOf = async (contents: PackageContents): Promise<string | undefined> => {
  const { rootFiles } = contents.folders
  if (rootFiles.has('METS.xml')) return 'METS.xml'
  const others = [...rootFiles].filter((name) => /^(mets|sip|aip|info)\.xml$/i.test(name)).sort()
  const first = [...others.filter((name) => /^mets/i.test(name)), ...others]
  for (const name of first) if (await isMets(contents, name)) return name
  return undefined
}
