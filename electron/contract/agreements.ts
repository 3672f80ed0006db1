/** A submission agreement that packages may be sent under. */
export interface Agreement {
  id: string
  name: string
  /** Whose records it is about, as far as it says so: agreements of one name differ by that. */
  organization: string
}

/** A field that packages under a submission agreement are described by. */
export interface AgreementField {
  key: string
  label: string
  hint: string
  isRequired: boolean
  /** What the agreement says where nobody says anything else. */
  usual: string
  /** Empty where anything may be typed. */
  choices: { value: string; text: string }[]
}
