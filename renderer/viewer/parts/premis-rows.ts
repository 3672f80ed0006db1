import { element } from '../element.ts'
import type { Stage } from '../kind.ts'
import { pathIn, textAt, textIn, type XmlElement } from '../formats/xml-tree.ts'
import { codeIn, described } from './description.ts'
import { fieldList } from './field-list.ts'
import { countIn, timeFormat } from './numbers.ts'
import type { RecordRow } from './records.ts'

const entities = ['object', 'event', 'agent', 'rights'] as const
/** What each is known by. */
const titles = {
  object: ['originalName', 'objectIdentifierValue'],
  event: ['eventType'],
  agent: ['agentName', 'agentIdentifierValue'],
  rights: ['rightsBasis', 'rightsStatementIdentifierValue'],
}

const titleOf = (entity: XmlElement, names: string[]) =>
  names.map((name) => textAt(entity, name)).find((title) => title !== '') ?? entity.name

/** Where an object lies, else what it was called: the path of a file in its package. */
const fileOf = (object: XmlElement) =>
  [pathIn(textAt(object, 'contentLocationValue')) || pathIn(textAt(object, 'originalName'))].filter(Boolean)

/** Objects, events, agents and rights, each below a row that says how many there are. */
export const premisRows = (tree: XmlElement, { say, language }: Stage, depth = 0): RecordRow[] => {
  const timeIn = timeFormat(language)
  /** As it is written, where that is no time. */
  const timeOf = (written: string) => timeIn(new Date(written)) || written
  return entities.flatMap((entity) => {
    const found = tree.inside.filter(({ name }) => name === entity)
    if (found.length === 0) return []
    const heading = say.records[entity]
    return [
      {
        depth,
        label: heading,
        text: countIn(language, found.length),
        isFolded: found.length > 100,
        detail: () => [
          element('h2', {}, heading),
          fieldList([{ name: heading, value: countIn(language, found.length) }]),
        ],
      },
      ...found.map((one) => {
        const named = titleOf(one, titles[entity])
        const title = entity === 'event' ? codeIn(named, say) : named
        return {
          depth: depth + 1,
          label: title,
          text: codeIn(textAt(one, 'eventOutcome'), say),
          values: [timeOf(textAt(one, 'eventDateTime', 'dateCreatedByApplication'))],
          files: entity === 'object' ? fileOf(one) : [],
          detail: () => described(title, one, say),
          said: () => textIn(one),
        }
      }),
    ]
  })
}
