/** What was pasted into orders and not added yet, by the order: whoever looks elsewhere finds it again. */
export const pastedLines = new Map<string, string>()
