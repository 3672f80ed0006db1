import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

// What other programs say of tars and zips.

const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** Commands that say of containers whether they are sound; `$1` is the container. */
const tests = {
  zip: { unzip: 'unzip -tqq "$1"', '7z': '7z t -y -pno "$1"', 'zip -T': 'zip -T "$1"' },
  tar: { tar: 'tar -tf "$1"', bsdtar: 'bsdtar -tf "$1"' },
}
/** Commands that unpack `$1` into `$2`. */
const extractors = {
  zip: {
    unzip: 'unzip -qq -o -Pno "$1" -d "$2"',
    '7z': '7z x -y -aoa -pno -o"$2" "$1"',
    // It brings names into the encoding of the system.
    bsdtar: 'env LC_ALL=C.UTF-8 bsdtar -C "$2" -xf "$1"',
  },
  tar: { tar: 'tar -C "$2" -xf "$1"', bsdtar: 'bsdtar -C "$2" -xf "$1"' },
}
const pythonScript = `
import sys, os, tarfile, zipfile
for line in sys.stdin.read().splitlines():
    file, folder = line.split('\\t')
    try:
        if file.endswith('.zip'):
            with zipfile.ZipFile(file) as opened:
                bad = opened.testzip()
                opened.extractall(folder)
        else:
            bad = None
            with tarfile.open(file, errorlevel=2) as opened:
                opened.extractall(folder)
        print('refused' if bad else 'ok')
    except BaseException as error:
        print('refused', type(error).__name__, str(error).replace('\\n', ' ')[:100])
`

/** Names of the programs whose word counts in these tests, and that are missing. */
export const missingPrograms = (): string[] =>
  ['unzip', '7z', 'zip', 'tar', 'bsdtar', 'python3'].filter((program) => {
    try {
      execFileSync('sh', ['-c', 'command -v "$0"', program], { stdio: 'ignore' })
      return false
    } catch {
      return true
    }
  })

/** Everything below a folder, with digests of its files. */
const treeOf = (folder: Buffer, below = Buffer.alloc(0)): string[] =>
  readdirSync(Buffer.concat([folder, below]), { withFileTypes: true, encoding: 'buffer' }).flatMap(
    (entry) => {
      const name = Buffer.concat([below, Buffer.from('/'), entry.name])
      if (entry.isDirectory()) return [`${name.toString('latin1')}/`, ...treeOf(folder, name)]
      const content = entry.isFile() ? digestOf(readFileSync(Buffer.concat([folder, name]))) : 'no file'
      return [`${name.toString('latin1')} ${content}`]
    },
  )

/** What other programs make of a container. */
export interface ProgramVerdicts {
  /** Programs that refuse it, or unpack nothing. */
  refusedBy: string[]
  /** Programs by what they unpack: one group where all do the same. */
  trees: Map<string, string[]>
}

/**
 * Asks other programs about containers, all in one folder that has room for what they unpack.
 * @param without programs that are not to unpack them
 * @returns by the file's name
 */
export const askPrograms = (
  folder: string,
  form: 'zip' | 'tar',
  without: string[] = [],
): Map<string, ProgramVerdicts> => {
  const asked = Object.entries<string>(extractors[form]).filter(([program]) => !without.includes(program))
  const files = readdirSync(folder).filter((name) => name.endsWith(`.${form}`))
  const unpacked = path.join(folder, 'unpacked')
  const place = (program: string, file: string) => path.join(unpacked, program, file)
  const answers = new Map<string, ProgramVerdicts>(
    files.map((name) => [name, { refusedBy: [], trees: new Map() }]),
  )
  const unpackers = [...asked.map(([program]) => program), 'python']
  for (const program of unpackers)
    for (const file of files) mkdirSync(place(program, file), { recursive: true })
  const runAll = (command: string, program: string) => {
    // What an entry announces may be as large as a disk; no file here is of more than 50 MB.
    const script =
      `ulimit -f 100000; while IFS='\t' read -r a b; do run() { timeout 5 ${command}; }; run "$a" "$b" ` +
      '>/dev/null 2>&1 </dev/null; echo $?; done'
    const input = files.map((file) => `${path.join(folder, file)}\t${place(program, file)}\n`).join('')
    const said = execFileSync('sh', ['-c', script], { input, encoding: 'utf8' }).trim().split('\n')
    files.forEach((file, index) => said[index] !== '0' && answers.get(file)?.refusedBy.push(program))
  }
  for (const [program, command] of Object.entries(tests[form])) runAll(command, program)
  for (const [program, command] of asked) runAll(command, program)
  const input = files.map((file) => `${path.join(folder, file)}\t${place('python', file)}`).join('\n')
  const said = execFileSync('python3', ['-c', pythonScript], {
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  })
    .trim()
    .split('\n')
  files.forEach((file, index) => said[index] !== 'ok' && answers.get(file)?.refusedBy.push('python'))
  for (const program of unpackers)
    for (const file of files) {
      const trees = answers.get(file)?.trees
      const tree = treeOf(Buffer.from(place(program, file)))
        .sort()
        .join('\n')
      trees?.set(tree, [...(trees.get(tree) ?? []), program])
    }
  rmSync(unpacked, { recursive: true, force: true })
  return answers
}
