/** What a form's control says, as the text that stands in its place on paper. */
export const textOfControl = (control: HTMLElement): string => {
  if (control instanceof HTMLSelectElement) return control.selectedOptions[0]?.text ?? ''
  if (control instanceof HTMLTextAreaElement) return control.value
  if (!(control instanceof HTMLInputElement)) return ''
  if (control.type === 'checkbox' || control.type === 'radio') return control.checked ? '☑ ' : '☐ '
  return control.type === 'search' ? '' : control.value
}
