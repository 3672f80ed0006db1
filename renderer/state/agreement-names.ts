import type { Agreement } from '../../electron/contract/agreements.ts'

/**
 * What agreements are called where one is chosen among them: those of one name by whose records they are
 * about, else by the beginning of their ids.
 */
export const agreementNames = (agreements: readonly Agreement[]): { id: string; name: string }[] => {
  const countOf = (textOf: (agreement: Agreement) => string, text: string) =>
    agreements.filter((one) => textOf(one) === text).length
  const byOrganization = ({ name, organization }: Agreement) =>
    organization === '' ? name : `${name} · ${organization}`
  return agreements.map((agreement) => {
    const { id, name } = agreement
    if (countOf((one) => one.name, name) === 1) return { id, name }
    const longer = byOrganization(agreement)
    const isAlone = countOf(byOrganization, longer) === 1
    return { id, name: isAlone ? longer : `${longer} (${id.slice(0, 8)})` }
  })
}
