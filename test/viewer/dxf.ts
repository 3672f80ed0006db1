type Group = [code: number, value: string | number]
const written = (...groups: Group[]) => groups.map(([code, value]) => `${code}\r\n${value}\r\n`).join('')
const section = (name: string, ...content: string[]) =>
  `${written([0, 'SECTION'], [2, name])}${content.join('')}${written([0, 'ENDSEC'])}`
const layer = (name: string, colour: number) => written([0, 'LAYER'], [2, name], [70, 0], [62, colour])
const line = (name: string, x: number, y: number, toX: number, toY: number) =>
  written([0, 'LINE'], [8, name], [10, x], [20, y], [11, toX], [21, toY])
const text = (x: number, y: number, height: number, value: string) =>
  written([0, 'TEXT'], [8, 'TEXT'], [10, x], [20, y], [40, height], [1, value])

/** A plan of three rooms with doors, in the words and the code page of a Swedish office of 2000. */
export const planDxf = (): Buffer => {
  const door = written([0, 'BLOCK'], [2, 'DÖRR'], [10, 0], [20, 0])
  const arc = written([0, 'ARC'], [8, 'DÖRRAR'], [10, 0], [20, 0], [40, 900], [50, 0], [51, 90])
  const doors = [1000, 5000, 9000].map((x) =>
    written([0, 'INSERT'], [8, 'DÖRRAR'], [2, 'DÖRR'], [10, x], [20, 5000], [50, -90]),
  )
  const walls: Group[] = [
    [0, 0],
    [12000, 0],
    [12000, 8000],
    [0, 8000],
  ].flatMap(([x = 0, y = 0]): Group[] => [
    [10, x],
    [20, y],
  ])
  const plan = [
    section(
      'HEADER',
      written(
        [9, '$ACADVER'],
        [1, 'AC1015'],
        [9, '$DWGCODEPAGE'],
        [3, 'ANSI_1252'],
        [9, '$INSUNITS'],
        [70, 4],
      ),
    ),
    section('TABLES', layer('VÄGGAR', 7), layer('DÖRRAR', 1), layer('TEXT', 5), layer('EL', -3)),
    section('BLOCKS', door, line('DÖRRAR', 0, 0, 0, 900), arc, written([0, 'ENDBLK'])),
    section(
      'ENTITIES',
      written([0, 'LWPOLYLINE'], [8, 'VÄGGAR'], [90, 4], [70, 1], ...walls),
      line('VÄGGAR', 0, 5000, 12000, 5000),
      ...doors,
      written([0, 'SOLID'], [8, 'VÄGGAR'], [62, 5], [10, 8000], [20, 6000], [11, 11000], [21, 6000]).concat(
        written([12, 8000], [22, 7500], [13, 11000], [23, 7500]),
      ),
      text(1200, 2500, 400, 'Pannrum'),
      text(5300, 2500, 400, 'Tvätt'),
      written([0, 'MTEXT'], [8, 'TEXT'], [10, 500], [20, 7600], [40, 300]),
      written([1, '{\\fArial|b0;Källarplan}\\Pskala 1:100, \\U+00D8 200']),
      line('EL', 0, 0, 12000, 8000),
      written([0, 'HATCH'], [8, 'VÄGGAR']),
    ),
    written([0, 'EOF']),
  ]
  return Buffer.from(plan.join(''), 'latin1')
}
