/** What an error says of itself under a name; anything can be thrown. */
const saidIn = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined

const textIn = (error: unknown, name: string): string => {
  const said = saidIn(error, name)
  return typeof said === 'string' ? said : ''
}

/** The code of an error of the system or of Node.js ("ENOENT", "ERR_SQLITE_ERROR"); empty without one. */
export const codeOf = (error: unknown): string => textIn(error, 'code')

/** The file that an error of the system is about; empty where it says none. */
export const pathOf = (error: unknown): string => textIn(error, 'path')

/** The call in which the system failed, as "open"; empty where it says none. */
export const systemCallOf = (error: unknown): string => textIn(error, 'syscall')

/**
 * The result code of SQLite, an extended one (sqlite.org/rescode.html): its lower eight bits are the primary
 * one; 0 where it has none.
 */
export const sqliteCodeOf = (error: unknown): number => {
  const said = saidIn(error, 'errcode')
  return typeof said === 'number' ? said : 0
}

/** What an error says; of anything else that was thrown, the text that it is. */
export const messageOf = (error: unknown): string => textIn(error, 'message') || String(error)
