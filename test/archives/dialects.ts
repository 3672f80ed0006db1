import path from 'node:path'
import { startArchive } from './archive.ts'
import { scratch } from '../support/scratch.ts'
import { startFaultyServer } from '../faults/faulty-server.ts'
import { openWindowless } from '../desks/windowless.ts'

export type Dialect = 'specification' | 'essarch'

/**
 * The sample holdings served in a dialect, behind a proxy that can misbehave, and desks that sign in there.
 */
export const startDialect = async (dialect: Dialect) => {
  const place = scratch()
  const archive = await startArchive(path.join(place.folder, 'archive'), '--sample', '--dialect', dialect)
  const proxy = await startFaultyServer(archive.url)
  let desks = 0
  const accounts = [archive, ...archive.others]
  /**
   * A desk whose lists have arrived; by default of the account that may do most of the usual. `again` is the
   * folder of one that was here before.
   */
  const open = async (
    username = 'archivist',
    parts: Parameters<typeof openWindowless>[1] = {},
    again?: string,
  ) => {
    const folder = again ?? path.join(place.folder, `desk-${(desks += 1)}`)
    const desk = openWindowless(folder, parts)
    const password = accounts.find((account) => account.username === username)?.password ?? ''
    await desk.features.session.signIn({ url: proxy.url, username, password })
    await desk.features.connection.refresh(undefined)
    // A probe that goes on is joined; one that failed is what some tests are about.
    await Promise.resolve(desk.features.capabilities.ask(undefined)).catch(() => undefined)
    return { desk, folder, ...desk.features }
  }
  const basicOf = (username: string) => {
    const password = accounts.find((account) => account.username === username)?.password ?? ''
    return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  }
  /** What somebody else does in the archive, beside every desk. */
  const act = async (method: string, address: string, body?: unknown, username = 'archivist') => {
    const answer = await fetch(`${archive.url}/api/${address}`, {
      method,
      headers: {
        authorization: basicOf(username),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      body: ((answer.headers.get('content-type') ?? '').includes('json') && text !== ''
        ? JSON.parse(text)
        : text) as never,
    }
  }
  return {
    archive,
    /** The folder in which the archive keeps what it holds. */
    data: path.join(place.folder, 'archive'),
    proxy,
    open,
    act,
    folder: place.folder,
    stop: async () => {
      await proxy.stop()
      await archive.stop()
      place[Symbol.dispose]()
    },
  }
}
