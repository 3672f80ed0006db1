import type { DatabaseSync } from 'node:sqlite'
import { unmarked } from '../../common/fold.ts'
import { prepare } from '../../common/statements.ts'
import { shortestPart } from '../search/query-text.ts'

/**
 * The words of all that is held, once each, and which three letters follow each other in them: Swedish puts
 * words together, and "skola" is to find "folkskolans". The letters follow the words, some at a time, which
 * costs a tenth of one after the other; `vocabulary_split` says up to which word they do.
 */
export const vocabularyTables = `
  create table vocabulary (number integer primary key, word text not null unique) strict;
  create virtual table vocabulary_parts using fts5(word, content = 'vocabulary', content_rowid = 'number',
    tokenize = 'trigram', detail = none);
  create table vocabulary_split (number integer not null) strict;
  insert into vocabulary_split values (0)`

const shortestWord = shortestPart + 1
const longestWord = 60
/** A part that stands in more words than these tells little. */
const mostAround = 300

/** Numbers and names of files are found by their beginnings; inside of them nobody looks. */
const isWord = (token: string) =>
  token.length >= shortestWord && token.length <= longestWord && /^\p{L}+$/u.test(token)

/** Takes the words of texts into the vocabulary; part of the transaction that takes them into the index. */
export const openVocabulary = (database: DatabaseSync) => {
  const add = database.prepare('insert or ignore into vocabulary (word) values (?)')
  const split = database.prepare(
    `insert into vocabulary_parts (rowid, word) select v.number, v.word from vocabulary v, vocabulary_split s
      where v.number > s.number`,
  )
  const note = database.prepare(
    'update vocabulary_split set number = (select coalesce(max(number), 0) from vocabulary)',
  )
  return (texts: string[]) => {
    const words = new Set(
      texts.flatMap((text) => [...unmarked(text).matchAll(/[\p{L}\p{N}]+/gu)].map(([token]) => token)),
    )
    for (const word of words) if (isWord(word)) add.run(word)
    split.run()
    note.run()
  }
}

/** @returns the words that a text is a part of, but for those that begin with it; the shortest first */
export const wordsAround = (database: DatabaseSync): ((text: string) => string[]) => {
  const around = prepare<{ word: string }>(
    database,
    `select v.word from vocabulary_parts p join vocabulary v on v.number = p.rowid
      where vocabulary_parts match :threes and instr(v.word, :part) > 1 order by length(v.word) limit :most`,
  )
  return (text) => {
    const part = unmarked(text)
    if (part.length < shortestPart || !/^\p{L}+$/u.test(part)) return []
    const letters = [...part]
    const threes = letters.slice(2).map((_, index) => `"${letters.slice(index, index + 3).join('')}"`)
    return around.all({ threes: threes.join(' AND '), part, most: mostAround }).map(({ word }) => word)
  }
}
