import { serveRequests } from '../../common/serve-requests.ts'
import { textOfFile } from './extract-text.ts'
import type { FileToRead } from './texts.ts'

// A thread of its own: a file that would keep it busy for ever, or take all its memory, ends the thread and
// not the archive.
serveRequests<FileToRead>(({ file, extension }) => textOfFile(file, extension).catch(() => ''))
