/**
 * A row's model, as the archive's definition of the list read it. The caller names the type that the
 * definition gives: rows that another version of it read are read anew before they are shown
 * (former-rows.ts), so what is held is of that type. Looking at each again would be felt in long lists.
 */
export const heldModel = <Model>(text: string): Model =>
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- see above
  JSON.parse(text) as Model
