import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { makeDisks, makeEstate } from './containers.ts'
import { makeAccounts, makeDatabases } from './databases.ts'
import { makeDescriptions } from './descriptions.ts'
import { drawPortrait, makeClasses, makeHouse, makeMaps } from './drawn-packages.ts'
import { makeConsultation, makeLetters, makeMail } from './letters.ts'
import { sample } from './places.ts'
import { makeRecordings } from './recordings.ts'
import { openStudio, placesIn } from './tools.ts'
import { makeWebSite } from './web.ts'
import { writeList } from './write-list.ts'

// Makes the files of the practice archive anew, with tools of Debian that the app itself does not need:
//   apt-get install chromium imagemagick libtiff-tools libopenjp2-tools libheif-examples libavif-bin webp \
//     libimage-exiftool-perl qpdf ffmpeg espeak-ng libreoffice-writer-nogui libreoffice-calc-nogui
//   npm run sample
rmSync(sample, { recursive: true, force: true })
mkdirSync(sample, { recursive: true })
const placeIn = (name: string) => placesIn(path.join(sample, name))
const studio = await openStudio()
const house = placeIn('oxen')
await makeHouse(studio, house)
makeConsultation(studio, house)
const fromTheRoof = house('1/fotografier/från taket, 1938.jpg')
await makeClasses(studio, placeIn('klassfoton'))
const harbour = placeIn('norra-kajen')
await makeMaps(studio, harbour)
makeLetters(studio, placeIn('hamnkontoret'))
makeMail(placeIn('e-post'), fromTheRoof)
makeAccounts(studio, placeIn('rakenskaper'))
await makeDatabases(placeIn('bygglov'))
await makeRecordings(studio, placeIn('ostra-hamnen'))
makeWebSite(placeIn('webbplats'), harbour('1/fotografier/kajen i färg, 1963.jpg'))
makeDescriptions(placeIn('forteckning'), house)
await makeDisks(placeIn('vattenverket'))
makeEstate(placeIn('bergstrom'), await drawPortrait(studio))
await studio.close()
writeList()
