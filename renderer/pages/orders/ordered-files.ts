import { fileOf, type OrderItem, type OrderPage } from '../../../electron/contract/orders.ts'

/**
 * The files of a package that an order asks for, as its words say them: a line for each, which in orders of
 * earlier versions began with the label alone.
 */
export const orderedFiles = ({ content }: Pick<OrderPage, 'content'>, item: OrderItem): string[] =>
  content.split('\n').flatMap((line) => {
    const begin = [fileOf(item), `${item.label}: `].find((one) => line.startsWith(one))
    return begin === undefined ? [] : [line.slice(begin.length)]
  })
