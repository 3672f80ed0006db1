import type { OrderItem, OrderPage } from '../../../electron/contract/orders.ts'

/** The files of a package that an order asks for, as its words say them: a line "package: path" for each. */
export const orderedFiles = ({ content }: Pick<OrderPage, 'content'>, { label }: OrderItem): string[] =>
  content.split('\n').flatMap((line) => (line.startsWith(`${label}: `) ? [line.slice(label.length + 2)] : []))
