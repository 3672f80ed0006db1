import { fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, copyFileSync, linkSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDesk, signIn, type Desk } from '../../e2e/launch.ts'
import { cacheFileOf } from '../../../electron/store/cache/caches.ts'

/** A question that was asked of a thread, and what came of it. */
export interface Asked {
  name: string
  /** How many rows it asked for; null where it says none. */
  limit: number | null
  /** How many came. */
  rows: number
  /** Milliseconds from the question to its answer in main. */
  took: number
}

/**
 * Notes from now on what main asks its threads and what they answer, in main itself: the same in Electron and
 * in what stands for it.
 */
export const noteQuestions = (desk: Desk) =>
  desk.app.evaluate(() => {
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const waiting = new Map<string, { name: string; limit: number | null; at: number }>()
    const asked: Asked[] = []
    Object.assign(globalThis, { asked })
    const { postMessage, emit } = Worker.prototype as unknown as {
      postMessage: (message: unknown) => void
      emit: (event: string, ...more: unknown[]) => boolean
    }
    interface Request {
      id?: number
      body?: { name?: string; input?: [{ limit?: number; most?: number }?] }
    }
    interface Reply {
      kind?: string
      id?: number
      value?: { rows?: unknown[]; hits?: unknown[] } | unknown[]
    }
    Object.assign(Worker.prototype, {
      postMessage(this: { threadId: number }, message: Request) {
        const { id, body } = message
        if (id !== undefined && body?.name !== undefined) {
          const limit = body.input?.[0]?.limit ?? body.input?.[0]?.most ?? null
          waiting.set(`${this.threadId} ${id}`, { name: body.name, limit, at: performance.now() })
        }
        postMessage.call(this, message)
      },
      emit(this: { threadId: number }, event: string, reply?: Reply, ...more: unknown[]) {
        const key = `${this.threadId} ${reply?.id}`
        const question = event === 'message' && reply?.kind === 'answer' ? waiting.get(key) : undefined
        if (question) {
          waiting.delete(key)
          const value = reply?.value
          const rows = Array.isArray(value) ? value : (value?.rows ?? value?.hits ?? [])
          const { name, limit, at } = question
          asked.push({ name, limit, rows: rows.length, took: performance.now() - at })
        }
        return emit.call(this, event, reply, ...more)
      },
    })
  })

/** What was asked since it was looked at last. */
export const takeQuestions = (desk: Desk): Promise<Asked[]> =>
  desk.app.evaluate(() => (globalThis as unknown as { asked: Asked[] }).asked.splice(0))

interface Over {
  /** Of the archives, the one that is shown first; one that is shared is written into by the app. */
  files: { file: string; isShared: boolean }[]
  /** Of Electron's command line. */
  args?: string[]
  /** The list that the first archive gives, slowly, of so many rows; without, nobody answers for it. */
  gives?: { list: 'information-packages' | 'storage-objects'; rows: number }
}

/** Many gigabytes are not copied for each run, but where they lie on another disk. */
const share = (file: string, at: string) => {
  try {
    linkSync(file, at)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    copyFileSync(file, at, constants.COPYFILE_FICLONE)
  }
}

/** What the app had no time to bring into a file that is kept would go with the folder of its data. */
const finish = (file: string) => {
  const database = new DatabaseSync(file)
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
}

/** A desk on which somebody is signed in to archives whose local copies lie in files. */
export const openDeskOver = async ({ files, args = [], gives }: Over): Promise<Desk> => {
  const server = fork(path.join(import.meta.dirname, 'archive.ts'), [String(gives?.rows ?? 0)])
  const [url] = (await once(server, 'message')) as [string]
  const desk = await openDesk({}, undefined, args)
  await signIn(desk, url, 'archivist', 'x')
  await desk.page.getByRole('banner').getByText('as of').waitFor()
  await desk.app.close()
  const known = new DatabaseSync(path.join(desk.userData, 'desk.sqlite'))
  const id = String(known.prepare('select id from archive').get()?.['id'])
  const clone = known.prepare(
    `insert into archive (id, used, body) select ?1, '', json_set(body, '$.id', ?1, '$.name', ?1,
       '$.url', 'http://127.0.0.1:9') from archive where id = ?2`,
  )
  const shared: string[] = []
  for (const [index, { file, isShared }] of files.entries()) {
    const archive = index === 0 ? id : `other${index}`
    if (index > 0) clone.run(archive, id)
    const at = cacheFileOf(desk.userData, archive)
    for (const end of ['', '-wal', '-shm']) rmSync(at + end, { force: true })
    if (isShared) {
      share(file, at)
      shared.push(at)
    } else copyFileSync(file, at)
  }
  known.close()
  if (gives) server.send(gives.list)
  else server.disconnect()
  await desk.restart('started')
  const { close } = desk
  return Object.assign(desk, {
    close: async () => {
      await desk.app.close()
      for (const file of shared) finish(file)
      await close()
      if (server.connected) server.disconnect()
    },
  })
}
