import { spawn } from 'node:child_process'
import { inRoot, say } from './machine.mjs'

// Runs several commands at the same time, so that one works while another waits. What is given after -- is
// passed to each. The first is heard as it speaks, the others once those before them have ended, so that each
// can be read from top to bottom.
const given = process.argv.slice(2)
const end = given.includes('--') ? given.indexOf('--') : given.length
const commands = given.slice(0, end)
const quoted = given.slice(end + 1).map((arg) => JSON.stringify(arg))

const run = async (command) => {
  const child = spawn([command, ...quoted].join(' '), {
    cwd: inRoot(),
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const isHeard = command === commands[0]
  let said = ''
  const hear = (part) => (isHeard ? process.stdout.write(part) : (said += part))
  child.stdout.setEncoding('utf8').on('data', hear)
  child.stderr.setEncoding('utf8').on('data', hear)
  const status = await new Promise((ended) => child.once('close', ended))
  return { command, status, said: () => said }
}

const running = commands.map(run)
let isSound = true
for (const one of running) {
  const { command, status, said } = await one
  process.stdout.write(said())
  if (status === 0) continue
  isSound = false
  say(`${command} ended with ${status}.`)
}
process.exit(isSound ? 0 : 1)
