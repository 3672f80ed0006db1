/** What fits on a page of A4 in the letters of a file’s text. */
const [linesOfPage, signsOfLine] = [54, 88]

/** A text as the pages on which it is printed; a form feed begins a new one, as it did on paper. */
export const textPages = (text: string): string[] => {
  const pages: string[] = []
  if (text === '') return pages
  for (const sheet of text.split('\f')) {
    let [lines, used]: [string[], number] = [[], 0]
    const end = () => {
      if (lines.length > 0) pages.push(lines.join('\n'))
      lines = []
      used = 0
    }
    const longest = linesOfPage * signsOfLine
    for (const line of sheet.split(/\r?\n/))
      for (let at = 0; at === 0 || at < line.length; at += longest) {
        const piece = line.slice(at, at + longest)
        const rows = Math.max(1, Math.ceil(piece.length / signsOfLine))
        if (used + rows > linesOfPage) end()
        lines.push(piece)
        used += rows
      }
    end()
  }
  return pages
}
