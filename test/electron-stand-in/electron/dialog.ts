import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { refusing } from './refuse.ts'

interface OpenOptions {
  title?: string
  defaultPath?: string
  properties?: string[]
}
interface Opened {
  canceled: boolean
  filePaths: string[]
}

const cancelled: Opened = { canceled: true, filePaths: [] }

/**
 * Answers prepared in a file: a JSON list of lists of paths, the first of which is taken. For scripts that
 * cannot reach main.
 */
const prepared = (): Opened | undefined => {
  const file = process.env['STAND_IN_DIALOG_ANSWERS']
  if (file === undefined) return undefined
  const [filePaths, ...rest] = JSON.parse(readFileSync(file, 'utf8')) as string[][]
  writeFileSync(file, JSON.stringify(rest))
  return filePaths ? { canceled: false, filePaths } : cancelled
}

interface MessageOptions {
  message?: string
  buttons?: string[]
  defaultId?: number
}

const byZenity = ({ title = '', defaultPath, properties = [] }: OpenOptions): Promise<Opened> =>
  new Promise((done) => {
    const kind = properties.includes('openDirectory') ? ['--directory'] : []
    const start = defaultPath === undefined ? [] : [`--filename=${defaultPath}/`]
    const asking = spawn(
      'zenity',
      ['--file-selection', '--multiple', '--separator=\n', `--title=${title}`, ...kind, ...start],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    )
    let said = ''
    asking.stdout.on('data', (part: Buffer) => (said += String(part)))
    asking.on('error', () => done(cancelled))
    asking.on('exit', (code) =>
      done(code === 0 ? { canceled: false, filePaths: said.trimEnd().split('\n') } : cancelled),
    )
  })

/**
 * A test answers a dialog as it does on Electron, by putting its own function in place of
 * dialog.showOpenDialog; a script may leave answers in the file that STAND_IN_DIALOG_ANSWERS names; a person
 * with a display is asked by zenity. Otherwise the dialog is cancelled.
 */
export const dialog = refusing('dialog', {
  showOpenDialog: (...args: [OpenOptions] | [unknown, OpenOptions]): Promise<Opened> => {
    const options = (args.length === 2 ? args[1] : args[0]) ?? {}
    const answer = prepared()
    if (answer) return Promise.resolve(answer)
    return process.env['DISPLAY'] ? byZenity(options) : Promise.resolve(cancelled)
  },
  /** Without anybody to ask, saving is cancelled; a prepared answer's first path is the file. */
  showSaveDialog: (): Promise<{ canceled: boolean; filePath: string }> => {
    const [filePath] = prepared()?.filePaths ?? []
    return Promise.resolve(
      filePath === undefined ? { canceled: true, filePath: '' } : { canceled: false, filePath },
    )
  },
  /** Without anybody to ask, the default is taken. */
  showMessageBox: (
    ...args: [MessageOptions] | [unknown, MessageOptions]
  ): Promise<{ response: number; checkboxChecked: boolean }> => {
    const options = (args.length === 2 ? args[1] : args[0]) ?? {}
    return Promise.resolve({ response: options.defaultId ?? 0, checkboxChecked: false })
  },
  showErrorBox: (title: string, content: string) => console.error(`${title}: ${content}`),
})
