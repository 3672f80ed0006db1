import { onDestroy } from 'svelte'
import { entryIn } from '../../../electron/common/records.ts'
import { checkForm } from '../../../electron/contract/check-form.ts'
import type { FormField, FormValues } from '../../../electron/contract/description.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import { say } from '../../language/say.svelte.ts'
import { failureOf } from '../../state/command.svelte.ts'

/**
 * A form that is sent: what is wrong with which field, once it was tried to send it and from then on as it is
 * typed, and what the archive said of it. It is made by the component that shows the form.
 */
export class FormErrors {
  /** The form is shown no more. */
  isLeft = false
  failure = $state.raw<Failure>()
  isSending = $state(false)
  wasTried = $state(false)
  refusals = $derived(this.failure?.kind === 'refused' ? this.failure.fields : {})

  constructor() {
    onDestroy(() => (this.isLeft = true))
  }

  /** The sentence that stands by a field. */
  of = (fields: FormField[], values: FormValues) => {
    const troubles = checkForm(fields, values)
    return (path: string) => {
      const trouble = this.wasTried ? troubles.get(path) : undefined
      return trouble ? say.description.troubles[trouble] : (entryIn(this.refusals, path) ?? []).join(' ')
    }
  }

  /** What a refusal says of no field of the form. */
  elsewhere = (fields: FormField[]): Failure | undefined => {
    if (this.failure?.kind !== 'refused') return this.failure
    const rest = Object.entries(this.refusals).filter(
      ([name]) => !fields.some((field) => field.name === name.split('.')[0]),
    )
    return rest.length > 0 ? { kind: 'refused', fields: Object.fromEntries(rest) } : undefined
  }

  /** Sends a form that is right, once at a time. @throws Failed where the form was left before it failed */
  send = async (fields: FormField[], values: FormValues, work: () => Promise<void>) => {
    this.wasTried = true
    if (this.isSending || checkForm(fields, values).size > 0) return
    this.isSending = true
    this.failure = undefined
    try {
      await work()
    } catch (error) {
      if (this.isLeft) throw error
      this.failure = failureOf(error)
    } finally {
      this.isSending = false
    }
  }
}
