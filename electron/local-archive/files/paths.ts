/** Whether a path with '/' leads to something below the folder that it begins in. */
export const isBelow = (path: string): boolean =>
  path !== '' &&
  !path.includes('\0') &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/** A file that can be looked into, by its name. */
export const containerForm = (path: string): 'tar' | 'zip' | undefined => {
  const [, form] = /\.(tar|zip)$/i.exec(path) ?? []
  return form === undefined ? undefined : form.toLowerCase() === 'tar' ? 'tar' : 'zip'
}
