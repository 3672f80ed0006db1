import type { ChangeCounts, ComparedBy, ComparedFile, FileChange, ToldFile } from '../contract/comparisons.ts'

/** The files of a package by their paths. */
export type ToldFiles = ReadonlyMap<string, ToldFile>

/** What became of the files of one package in another. */
export interface Compared {
  differing: ComparedFile[]
  same: number
  by: Record<ComparedBy, number>
}

/** Lets others have their turn, and ends what nobody wants any more. */
type YieldToOthers = () => Promise<void> | void

export const noChanges = (): ChangeCounts => ({
  added: 0,
  removed: 0,
  changed: 0,
  redated: 0,
  respelled: 0,
  unknown: 0,
})

export const nothingCompared = (): Compared['by'] => ({
  digest: 0,
  'size and date': 0,
  size: 0,
  nothing: 0,
})

/** "SHA-256" and "sha256" are one algorithm. */
const algorithmOf = ({ algorithm }: ToldFile) => algorithm.toUpperCase().replaceAll('-', '')

/** Whether two files are the same, and what says so. */
export const judge = (
  former: ToldFile,
  later: ToldFile,
): { change: Extract<FileChange, 'changed' | 'redated' | 'unknown'> | null; by: ComparedBy } => {
  const haveDigests = former.digest !== '' && later.digest !== ''
  if (haveDigests && algorithmOf(former) === algorithmOf(later)) {
    const isSame = former.digest.toLowerCase() === later.digest.toLowerCase()
    return { change: isSame ? null : 'changed', by: 'digest' }
  }
  if (former.bytes === null || later.bytes === null) return { change: 'unknown', by: 'nothing' }
  const haveDates = former.modified !== null && later.modified !== null
  const by = haveDates ? 'size and date' : 'size'
  if (former.bytes !== later.bytes) return { change: 'changed', by }
  const isRedated = haveDates && Date.parse(former.modified ?? '') !== Date.parse(later.modified ?? '')
  return { change: isRedated ? 'redated' : null, by }
}

const onlyIn = (side: 'former' | 'later', file: ToldFile): ComparedFile => ({
  path: file.path,
  change: side === 'former' ? 'removed' : 'added',
  isRespelled: false,
  by: 'nothing',
  former: side === 'former' ? file : null,
  later: side === 'later' ? file : null,
})

/** Files whose names are the same in one Unicode normal form (NFC), each with the first that is left. */
const respelledPairs = (removed: Iterable<ToldFile>, added: Iterable<ToldFile>) => {
  const waiting = new Map<string, ToldFile[]>()
  for (const file of removed) {
    const name = file.path.normalize('NFC')
    const others = waiting.get(name)
    if (others) others.push(file)
    else waiting.set(name, [file])
  }
  const pairs = new Map<string, ToldFile>()
  for (const file of added) {
    const former = waiting.get(file.path.normalize('NFC'))?.shift()
    if (former) pairs.set(file.path, former)
  }
  return pairs
}

/** Code units in order: the same in every language, and fast. */
export const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/**
 * What became of each file of a package in another. A file that has another name is one that was removed and
 * one that was added, unless both names are the same in Unicode's normal form.
 * @param yieldToOthers is waited for now and then
 */
export const compareFiles = async (
  former: ToldFiles,
  later: ToldFiles,
  yieldToOthers: YieldToOthers = () => undefined,
): Promise<Compared> => {
  const by = nothingCompared()
  const differing: ComparedFile[] = []
  const added: ToldFile[] = []
  let same = 0
  let steps = 0
  const step = async () => {
    steps += 1
    if (steps % 1_000 === 0) await yieldToOthers()
  }
  const both = (before: ToldFile, now: ToldFile, isRespelled: boolean) => {
    const judged = judge(before, now)
    by[judged.by] += 1
    const change = judged.change ?? (isRespelled ? 'respelled' : null)
    if (change === null) same += 1
    else differing.push({ path: now.path, change, isRespelled, by: judged.by, former: before, later: now })
  }
  for (const now of later.values()) {
    const before = former.get(now.path)
    if (before) both(before, now, false)
    else added.push(now)
    await step()
  }
  const removed: ToldFile[] = []
  for (const before of former.values()) {
    if (!later.has(before.path)) removed.push(before)
    await step()
  }
  const pairs = respelledPairs(removed, added)
  const paired = new Set([...pairs.values()].map(({ path }) => path))
  for (const now of added) {
    const before = pairs.get(now.path)
    if (before) both(before, now, true)
    else differing.push(onlyIn('later', now))
    await step()
  }
  for (const before of removed) {
    if (!paired.has(before.path)) differing.push(onlyIn('former', before))
    await step()
  }
  return { differing: differing.sort((one, other) => inOrder(one.path, other.path)), same, by }
}

/** How many files changed in each way. */
export const countChanges = (differing: readonly ComparedFile[]): ChangeCounts => {
  const counts = noChanges()
  for (const { change } of differing) counts[change] += 1
  return counts
}
