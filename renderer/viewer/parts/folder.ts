import { element } from '../element.ts'
import { TooLarge } from '../content.ts'
import type { Controls, Stage } from '../kind.ts'
import { noteRest, troubleOf } from '../trouble.ts'
import { nameIn, type Member } from '../formats/member.ts'
import { countIn, sizeIn, timeFormat } from './numbers.ts'
import type { OutlineRow } from './outline-rows.ts'
import { outlineOf } from './outline.ts'
import { pause } from './pause.ts'
import { progressLine } from './progress.ts'

interface MemberRow extends OutlineRow {
  member?: Member
  /** Files in it, and below it. */
  count: number
}

/** More are not listed: nobody goes through them, and each takes memory. */
const mostMembers = 100_000
const deepest = 60
/** So long are members read before those that are there are shown. */
const betweenMs = 250

/** The rows of members, in the order in which they come: a folder is listed where its first file is. */
const rowsOf = ({ say, language }: Stage) => {
  const rows: MemberRow[] = []
  let folders: { path: string; row: MemberRow }[] = []
  const timeIn = timeFormat(language)
  const enter = (parts: string[]) => {
    const path = (depth: number) => parts.slice(0, depth + 1).join('/')
    let same = 0
    while (same < parts.length && folders[same]?.path === path(same)) same += 1
    folders = folders.slice(0, same)
    for (let depth = same; depth < parts.length; depth += 1) {
      const row: MemberRow = {
        depth,
        label: parts[depth] ?? '',
        values: ['', ''],
        sign: 'folder',
        isFolded: depth > 0,
        count: 0,
      }
      rows.push(row)
      folders.push({ path: path(depth), row })
    }
  }
  return {
    rows,
    add: (member: Member) => {
      const parts = member.path.split('/').filter((part) => part !== '')
      const inside = (member.isFolder ? parts : parts.slice(0, -1)).slice(0, deepest)
      enter(inside)
      if (member.isFolder) return
      for (const { row } of folders) {
        row.count += 1
        row.text = say.folder.files(countIn(language, row.count), row.count)
      }
      rows.push({
        depth: inside.length,
        label: nameIn(member.path),
        text: member.isEncrypted ? say.folder.encrypted : '',
        values: [sizeIn(language, member.bytes), timeIn(member.modified)],
        sign: 'file',
        member,
        count: 0,
      })
    },
  }
}

const opens =
  ({ say, note, open, signal }: Stage) =>
  async ({ member }: MemberRow) => {
    if (!member) return
    try {
      const content = await member.open()
      if (!signal.aborted) open(content)
    } catch (error) {
      const { trouble } = troubleOf(error)
      if (error instanceof TooLarge) note(say.folder.tooLarge(nameIn(member.path)))
      else if (trouble === 'protected') note(say.folder.protected(nameIn(member.path)))
      else if (trouble === 'unreachable') note(say.folder.unreachable(nameIn(member.path)))
      else note(say.folder.unreadable(nameIn(member.path)))
    }
  }

/**
 * Shows the files of a container as folders that one can walk into, while they are still being read. What
 * is broken further on does not take away what was read before it.
 * @throws whatever reading the first of them throws
 */
export const drawFolder = async (members: AsyncIterable<Member>, stage: Stage): Promise<Controls> => {
  const { root, say, language, addFacts, note, signal } = stage
  const { rows, add } = rowsOf(stage)
  const openMember = opens(stage)
  const reading = members[Symbol.asyncIterator]()
  let [files, bytes] = [0, 0]
  const readSome = async (): Promise<boolean> => {
    const end = performance.now() + betweenMs
    while (performance.now() < end) {
      const next = await reading.next()
      if (next.done) return false
      if (files >= mostMembers) {
        note(say.folder.tooMany(countIn(language, mostMembers)))
        return false
      }
      add(next.value)
      if (!next.value.isFolder) files += 1
      bytes += next.value.bytes
    }
    return true
  }
  let isMore = await readSome().catch((error: unknown) => {
    if (rows.length === 0) throw error
    noteRest(stage, error, say.folder.broken)
    return false
  })
  const outline = outlineOf({
    name: say.folder.name,
    stage,
    rows,
    heading: say.folder.name,
    columns: [
      { label: say.folder.size, width: '110px', isNumber: true },
      { label: say.folder.modified, width: '180px' },
    ],
    open: (row) => {
      openMember(row).catch(reportError)
    },
  })
  const progress = progressLine()
  root.classList.add('filled')
  root.append(outline.element, progress.element)
  const tell = () => {
    addFacts(
      { name: 'files', value: countIn(language, files) },
      { name: 'unpacked', value: sizeIn(language, bytes) },
    )
  }
  const goOn = async () => {
    while (isMore && !signal.aborted) {
      progress.say(say.folder.reading(countIn(language, files)))
      await pause()
      isMore = await readSome()
      outline.grown()
    }
    progress.say('')
    tell()
  }
  goOn().catch((error: unknown) => {
    progress.say('')
    noteRest(stage, error, say.folder.broken)
    tell()
  })
  if (rows.length === 0) root.prepend(element('p', { class: 'plain' }, say.folder.empty))
  return outline.controls
}
