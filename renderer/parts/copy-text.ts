/**
 * Puts a text on the clipboard. The page has no permission for it; a selection and the copy command need
 * none.
 */
export const copyText = (text: string) => {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
}
