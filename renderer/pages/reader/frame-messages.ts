import * as v from 'valibot'
import {
  choiceNames,
  longestLine,
  longestText,
  printedSide,
  toolNames,
  troubles,
  type FrameMessage,
} from '../../viewer/messages.ts'

/** What a frame says may be written by what it draws: nothing longer is listened to. */
const Line = v.pipe(v.string(), v.maxLength(longestLine))
const Name = v.pipe(v.string(), v.maxLength(100))
const Count = v.pipe(v.number(), v.minValue(0))

const Standing = v.object({
  zoom: v.exactOptional(Count),
  page: v.exactOptional(v.object({ number: Count, of: Count })),
  found: v.exactOptional(v.object({ number: Count, of: v.nullable(Count), isIncomplete: v.boolean() })),
  view: v.exactOptional(v.object({ x: v.number(), y: v.number(), zoom: Count })),
  choices: v.exactOptional(
    v.pipe(
      v.array(
        v.object({
          name: v.picklist(choiceNames),
          values: v.pipe(v.array(v.object({ value: Line, label: Line })), v.maxLength(10_000)),
          chosen: Line,
        }),
      ),
      v.maxLength(10),
    ),
  ),
})

const Side = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(printedSide))
const SmallPicture = v.pipe(
  v.object({
    width: Side,
    height: Side,
    pixels: v.custom<Uint8ClampedArray<ArrayBuffer>>((pixels) => pixels instanceof Uint8ClampedArray),
  }),
  v.check(({ width, height, pixels }) => pixels.length === width * height * 4),
)

const Said = v.variant('told', [
  v.object({ told: v.literal('ready') }),
  v.object({ told: v.literal('alive'), number: Count }),
  v.object({ told: v.literal('kind'), kind: Name, path: v.pipe(v.array(Line), v.maxLength(20)) }),
  v.object({ told: v.literal('shown'), tools: v.array(v.picklist(toolNames)) }),
  v.object({ told: v.literal('trouble'), trouble: v.picklist(troubles), detail: v.string() }),
  v.object({
    told: v.literal('facts'),
    facts: v.pipe(v.array(v.object({ name: Name, value: Line })), v.maxLength(200)),
  }),
  v.object({ told: v.literal('note'), note: Line }),
  v.object({ told: v.literal('standing'), standing: Standing }),
  v.object({
    told: v.literal('text'),
    number: Count,
    text: v.nullable(v.pipe(v.string(), v.maxLength(longestText))),
  }),
  v.object({ told: v.literal('file'), path: v.pipe(Line, v.minLength(1)) }),
  v.object({ told: v.literal('small'), number: Count, picture: v.nullable(SmallPicture) }),
  v.object({
    told: v.literal('key'),
    key: Name,
    altKey: v.boolean(),
    ctrlKey: v.boolean(),
    metaKey: v.boolean(),
    shiftKey: v.boolean(),
  }),
  v.object({ told: v.literal('read'), bytes: Count, isWhole: v.boolean() }),
])

/** What a frame told; undefined for anything that it has no business to say. */
export const readFrameMessage = (data: unknown): FrameMessage | undefined => {
  const read = v.safeParse(Said, data)
  return read.success ? read.output : undefined
}
