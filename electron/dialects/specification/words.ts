const names = [
  'name',
  'label',
  'main',
  'name_native',
  'policy_name',
  'eventDetail',
  'message',
  'main_type',
  'username',
  'part',
]
const codes = [
  'reference_code',
  'object_identifier_value',
  'medium_id',
  'identifier',
  'repository_code',
  'policy_id',
  'eventType',
  'code',
]
/** What is held as rows of its own, and what would make everything match. */
const passedOver = [
  'information_packages',
  'children',
  'responsible',
  'user',
  'permissions',
  'template',
  'structure_data',
]
const longest = 4_000
/** Objects whose fields are those of the record that they stand in. */
const parts = ['current_version', 'main_type']
/** How deep a name of an authority stands in its record. */
const depthOfMain = 3

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
/** Ids are looked up as they are; digests and moments are no words. */
const isNoWord = (text: string) =>
  /^([0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32,}|\d{4}-\d\d-\d\dT\S+|https?:\S+)$/i.test(text)

/** Another version whenever `wordsOf` finds other words: what is held is found by those from then on. */
export const wordsVersion = 2

/**
 * What a record of any list is found by: its names, the codes that people write on slips, and every other
 * text in it. It is found by fields that nobody knows yet, too.
 */
export const wordsOf = (record: unknown): { name: string; code: string; body: string } => {
  const found = { name: [] as string[], code: [] as string[], body: [] as string[] }
  let length = 0
  const walk = (value: unknown, key: string, depth: number) => {
    if (length > longest || depth > 6) return
    if (typeof value === 'string' || typeof value === 'number') {
      const isCode = codes.includes(key)
      const text = String(value)
      if (text === '' || (typeof value === 'number' && !isCode) || (!isCode && isNoWord(text))) return
      length += text.length
      // What a record refers to has a name too, which is none of the record.
      const isName = names.includes(key) && depth <= (key === 'main' ? depthOfMain : 1)
      found[isCode && depth <= 2 ? 'code' : isName ? 'name' : 'body'].push(text.slice(0, longest))
    } else if (Array.isArray(value)) for (const element of value) walk(element, key, depth + 1)
    else if (isObject(value))
      for (const [inner, inside] of Object.entries(value))
        if (!passedOver.includes(inner)) walk(inside, inner, depth + (parts.includes(inner) ? 0 : 1))
  }
  walk(record, '', 0)
  return { name: found.name.join('\n'), code: found.code.join('\n'), body: found.body.join('\n') }
}
