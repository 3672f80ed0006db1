/**
 * A proxy as a person writes it: "proxy.example:8080", with http:// unless https:// or socks5:// stands
 * before it. No name and no password: those are asked for and kept apart.
 */
export const isProxyAddress = (typed: string): boolean =>
  /^((https?|socks5):\/\/)?([^\s@:/?#,;=[\]]+|\[[0-9a-f:.]+\])(:\d{1,5})?\/?$/i.test(typed)

/** Where a PAC script lies. */
export const isScriptAddress = (typed: string): boolean => /^https?:\/\/[^\s@/]+(\/\S*)?$/i.test(typed)
