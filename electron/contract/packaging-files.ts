/** The tag files of a bag (RFC 8493, 2.2), and what an archive says of a package beside its files. */
const packaging = /^(bagit\.txt|bag-info\.txt|fetch\.txt|(tag)?manifest-[\w-]+\.txt|mets\.xml|premis\.xml)$/i
/** Whether a file is one of those that only pack the others, by its path. */
export const isPackaging = (path: string): boolean => {
  const nameAt = path.lastIndexOf('/') + 1
  // What is called so among the files that were sent is one of them.
  return packaging.test(path.slice(nameAt)) && !path.slice(0, nameAt).split('/').includes('data')
}
