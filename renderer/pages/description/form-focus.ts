import { tick } from 'svelte'

const controls = 'input:not([type=hidden]), select, textarea'

/** Puts the focus in the first field of a form that has just been opened, unless one types in the top bar. */
export const beginInFirst = (form: HTMLFormElement) => {
  tick()
    .then(() => {
      if (!document.activeElement?.closest('header')) form.querySelector<HTMLElement>(controls)?.focus()
    })
    .catch(reportError)
}

/** Puts the focus in the first field that is not right, where one is. */
export const focusFirstInvalid = async (form: HTMLFormElement | undefined) => {
  await tick()
  form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
}
