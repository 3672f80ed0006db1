import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const documents = ['README.md', ...globSync('{resources/handbook,electron/**,test/**}/*.md', { cwd: root })]

/** Where a path that a text names may begin: at the project, or at one of its folders. */
const beginnings = ['', 'electron', 'renderer', 'renderer/viewer', 'electron/jobs', 'electron/packaging']

test.each(documents)('whatever %s links to or names is there', (document) => {
  const text = readFileSync(path.join(root, document), 'utf8')
  const folder = path.dirname(document)
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link)
  const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|svelte|mjs))`/g)].map(
    ([, name = '']) => name,
  )
  const stands = (...parts: string[]) => existsSync(path.join(root, ...parts))
  expect(links.filter((link) => !stands(folder, link))).toEqual([])
  expect(
    named.filter((name) => ![...beginnings, folder].some((beginning) => stands(beginning, name))),
  ).toEqual([])
})

test('the README names every folder that a newcomer sees', () => {
  const text = readFileSync(path.join(root, 'README.md'), 'utf8')
  const folders = ['electron', 'renderer', 'test'].flatMap((top) =>
    readdirSync(path.join(root, top), { withFileTypes: true }).filter((entry) => entry.isDirectory()),
  )
  expect(folders.map(({ name }) => name).filter((name) => !text.includes(`${name}/`))).toEqual([])
})
