import { Parser } from 'htmlparser2'

/** Elements of HTML that stand inside a word as well as between two. */
const inline = new Set(
  'a abbr b bdi bdo cite code em font i kbd mark q s small span strong sub sup tt u wbr'.split(' '),
)

/** Elements of HTML that hold no text. */
const hidden = new Set(['script', 'style'])

/** Every other element ends where it begins: what is open is looked through by nobody, however deep it is. */
class FlatParser extends Parser {
  protected override isVoidElement(name: string) {
    return !hidden.has(name)
  }
}
/** In XML none holds anything but text. */
class FlatXmlParser extends Parser {
  protected override isVoidElement() {
    return true
  }
}

/** Reads what stands between the tags of XML, or of HTML; so many characters of it. */
export const openTags = (xmlMode: boolean, mostCharacters: number) => {
  let text = ''
  let isHidden = false
  const parser = new (xmlMode ? FlatXmlParser : FlatParser)(
    {
      onopentagname: (name) => {
        isHidden ||= !xmlMode && hidden.has(name)
        if (xmlMode || !inline.has(name)) text += ' '
      },
      onclosetag: (name) => {
        if (hidden.has(name)) isHidden = false
      },
      ontext: (part) => {
        if (!isHidden && text.length < mostCharacters) text += part
      },
    },
    // In SVG a style may end where it begins.
    { xmlMode, decodeEntities: true, recognizeSelfClosing: true },
  )
  return {
    /** Whether more is wanted. */
    take: (part: string) => {
      parser.write(part)
      return text.length < mostCharacters
    },
    end: () => {
      parser.end()
      return text
    },
  }
}
