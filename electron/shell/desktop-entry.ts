import { entryIn } from '../common/records.ts'

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A value of type string (Desktop Entry Specification 1.5, section 4). */
const stringValue = (text: string) => text.replace(/[\\\n\r\t]/g, (sign) => entryIn(escapes, sign) ?? sign)

/**
 * An argument of Exec (section 7): quoted, its `%` doubled, and escaped once more as every string value is.
 */
const execArgument = (argument: string) =>
  stringValue(`"${argument.replace(/["\\`$]/g, '\\$&').replaceAll('%', '%%')}"`)

/** GLib looks for the program before it reads `%%` as `%`, and finds none; behind `env` it does not look. */
const findable = (command: string[]) => (command[0]?.includes('%') ? ['env', ...command] : command)

/**
 * The file that has a desktop start a program when somebody signs in (Desktop Application Autostart
 * Specification).
 */
export const autostartEntry = (command: string[]): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Lectern',
    `Exec=${findable(command).map(execArgument).join(' ')}`,
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
