import { entryIn } from '../../../electron/common/records.ts'
import { element } from '../element.ts'
import type { ViewerWords } from '../../language/viewer.en.ts'
import { textIn, type XmlElement } from '../formats/xml-tree.ts'
import { fieldList, type Field } from './field-list.ts'

/** Parts of a text: what holds nothing else is a text itself. */
const textNames = new Set(['', 'p', 'head', 'emph', 'lb', 'list', 'item', 'span', 'ref', 'extref', 'part'])
/** What qualifies a value stands behind its name. */
const qualifiers = ['ROLE', 'label', 'type', 'localtype', 'relator', 'linkRelationshipType']
const mostFields = 2_000
/** Their values are codes of a list. */
const coded = new Set(['entityType', 'roleTerm', 'eventType', 'eventOutcome', 'linkingAgentRole'])

/** What a code of a standard says in the reader’s language; one that nobody has a word for says itself. */
export const codeIn = (code: string, say: ViewerWords): string =>
  entryIn(say.codes, code.toLowerCase()) ?? code

const isText = ({ inside, text }: XmlElement) =>
  text !== '' || inside.every(({ name }) => textNames.has(name)) || inside.some(({ name }) => name === '')

const paragraphs = (described: XmlElement) =>
  described.inside.some(({ name }) => name === 'p')
    ? described.inside.map(textIn).join('\n')
    : textIn(described)

/** What an element is called in the reader’s language; one that nobody has a word for says its own name. */
export const nameOf = ({ name, attributes }: XmlElement, say: ViewerWords): string => {
  const known = entryIn(say.elements, name) ?? name
  const qualifier = qualifiers.map((key) => attributes[key]).find((value) => value && !/^\w+:/.test(value))
  return qualifier && qualifier.toLowerCase() !== known.toLowerCase()
    ? `${known} (${codeIn(qualifier, say)})`
    : known
}

const valueOf = (described: XmlElement, say: ViewerWords) => {
  const { attributes, name } = described
  const written = paragraphs(described) || (attributes['href'] ?? attributes['normal'] ?? '')
  const text = coded.has(name) ? codeIn(written, say) : written
  const unit = attributes['unit']
  return unit && text !== '' ? `${text} ${unit}` : text
}

/** What holds one thing, which holds one thing, says no more than that does. */
const onlyIn = (described: XmlElement): XmlElement => {
  const [first, second] = described.inside
  return first && !second && !isText(described) ? onlyIn(first) : described
}

const isKnown = ({ name }: XmlElement, say: ViewerWords) => Object.hasOwn(say.elements, name)

interface Group {
  heading: string
  fields: Field[]
}

/** The fields of an element, in groups where what belongs to one another lies deeper. */
const groupsOf = (described: XmlElement, say: ViewerWords, without: ReadonlySet<string>): Group[] => {
  const groups: Group[] = [{ heading: '', fields: [] }]
  let count = 0
  const walk = (outer: XmlElement, group: Group) => {
    for (const inner of outer.inside) {
      if (without.has(inner.name) || count > mostFields) continue
      const only = onlyIn(inner)
      if (isText(only)) {
        const value = valueOf(only, say)
        count += 1
        if (value !== '') group.fields.push({ name: nameOf(isKnown(inner, say) ? inner : only, say), value })
      } else if (inner.name === 'did') walk(inner, group)
      else {
        const below = { heading: nameOf(inner, say), fields: [] }
        groups.push(below)
        walk(inner, below)
      }
    }
  }
  if (groups[0]) walk(described, groups[0])
  return groups.filter(({ fields }) => fields.length > 0)
}

/** An element of a description for a person to read, under a heading. */
export const described = (
  heading: string,
  whole: XmlElement,
  say: ViewerWords,
  without: ReadonlySet<string> = new Set(),
): Node[] => [
  element('h2', {}, heading),
  ...groupsOf(whole, say, without).flatMap((group) => [
    ...(group.heading === '' ? [] : [element('h3', {}, group.heading)]),
    fieldList(group.fields),
  ]),
]
