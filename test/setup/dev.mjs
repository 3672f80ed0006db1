import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { build, createBuilder } from 'vite'
import { inRoot, say } from './machine.mjs'

// Builds the app, starts it, and builds again whatever changes: a changed page is reloaded where it stands,
// with what changed in main or in the preload the app starts anew. Arguments are passed on to the app.
const freePort = () =>
  new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => found(port))
    })
  })
const port = await freePort()

/** Tells a page through Chromium's own protocol to load itself again. */
const reload = async () => {
  const pages = await fetch(`http://127.0.0.1:${port}/json`).then((answer) => answer.json())
  const page = pages.find(({ type, url }) => type === 'page' && url.endsWith('/index.html'))
  if (!page) return
  const socket = new WebSocket(page.webSocketDebuggerUrl)
  socket.addEventListener('open', () => socket.send(JSON.stringify({ id: 1, method: 'Page.reload' })))
  socket.addEventListener('message', () => socket.close())
}

let app
let isEnding = false
const start = () => {
  const args = [inRoot('test/setup/launch.mjs'), `--remote-debugging-port=${port}`, ...process.argv.slice(2)]
  const started = spawn(process.execPath, args, { cwd: inRoot(), stdio: 'inherit' })
  started.once('exit', () => {
    if (started === app && !isEnding) process.exit(0)
  })
  app = started
}
/** One end and one start after the other, however fast one types. */
let starting = Promise.resolve()
const restart = () =>
  (starting = starting.then(async () => {
    const ending = app
    app = undefined
    const gone = new Promise((ended) => ending.once('exit', ended))
    ending.kill('SIGTERM')
    if (ending.exitCode === null && ending.signalCode === null) await gone
    start()
  }))
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    isEnding = true
    app?.kill(signal)
    process.exit(0)
  })

/** Calls once the first build stands, and then after each one that went well. */
const follow = (name, watcher, after) =>
  new Promise((built) => {
    let isFirst = true
    watcher.on('event', (event) => {
      if (event.code === 'BUNDLE_END') void event.result.close()
      if (event.code === 'ERROR') say(`${name}: ${event.error.message}`)
      if (event.code !== 'END') return
      if (isFirst) return ((isFirst = false), built())
      say(`${name} was built again.`)
      void Promise.resolve(after()).catch((error) => say(String(error)))
    })
  })

const watch = { watch: {} }
const builder = await createBuilder({
  configFile: inRoot('electron/vite.config.ts'),
  environments: { main: { build: watch }, preload: { build: watch } },
})
await follow(
  'The page',
  await build({ configFile: inRoot('renderer/vite.config.ts'), build: { watch: {}, emptyOutDir: false } }),
  reload,
)
await follow(
  'The viewer',
  await build({ configFile: inRoot('renderer/viewer/vite.config.ts'), build: watch }),
  reload,
)
for (const name of ['main', 'preload'])
  await follow(name, await builder.build(builder.environments[name]), restart)
start()
