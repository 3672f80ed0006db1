import path from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { background, toProcess } from '../common/background.ts'
import { openProxies } from '../archives/proxies.ts'
import type { WhichPackages } from '../contract/packages.ts'
import { dialects as productDialects } from '../dialects/dialects.ts'
import { openQuestions, type Questions } from '../questions/questions.ts'
import { openContentAnswers } from '../reader/content-answer.ts'
import { openKnownDigests } from '../reader/known-digests.ts'
import { openOpenedFiles } from '../reader/opened-files.ts'
import { openThread } from '../sync/thread.ts'
import { openDeskArchives, type DeskArchives } from './archives.ts'
import { openRegistry, type Registry } from './registry.ts'
import { openEvents, type Events } from './events.ts'
import { openFeatures } from './features.ts'
import { openJobs } from './jobs.ts'
import { openDeskNotices } from './notices.ts'
import { openDeskUpdates } from './updates.ts'
import { tellPage } from './page-news.ts'
import { openDeskData, type DeskData } from './desk-data.ts'
import type { Platform } from './platform.ts'

const betweenBackupsMs = 120_000
/** So long what is under way may take to stop. */
const longestStopMs = 3_000

/** The thread that reads and writes local copies, and the one that answers questions of them. */
const openThreads = (
  { scripts, reportBug }: Platform,
  { fileOf, fileToRead, deskFile, dialectOf }: DeskData,
  registry: Registry,
  events: Events,
) => ({
  questions: openQuestions({ script: scripts.questions, fileOf: fileToRead, dialectOf, deskFile }),
  thread: openThread({
    script: scripts.reading,
    fileOf,
    dialectOf,
    reportBug: (error) => reportBug(error, 'sync'),
    indexed: (archive, isAll) => {
      if (registry.find(archive)) events.emit('words indexed', { archive, isAll })
    },
    seen: (archive, subjects) => events.emit('rows written', { archive, subjects }),
  }),
})

/** The files of packages that somebody looks at. */
const openFilesOf = ({ folder, sendNewsOf }: Platform) =>
  openOpenedFiles({
    folder: path.join(folder, 'opened-files'),
    arrived: (archive, part) => sendNewsOf(archive, 'reader.arrived', part),
  })

/** What is done where the connections of all archives, or the ways there, have changed. */
const connectionsOf = ({ renewAll, catchUpAll, networkChanged, localEnded }: DeskArchives) => ({
  renewAll,
  catchUpAll,
  networkChanged,
  localEnded,
})

interface Routine {
  deskData: DeskData
  notices: ReturnType<typeof openDeskNotices>
  updates: ReturnType<typeof openDeskUpdates>
  deskArchives: DeskArchives
}

/** What goes on by itself, until it is stopped. */
const openRoutine = ({ deskData, notices, updates, deskArchives }: Routine) => {
  let backups: NodeJS.Timeout | undefined
  let hasStopped = false
  return {
    /**
     * Goes on with what waits, and with every archive that somebody is signed in to; from then on by itself.
     * @param free until then it connects with archives, and does nothing else that takes time
     */
    goOn: async (free: Promise<void> = Promise.resolve()): Promise<void> => {
      const begun = deskArchives.start(free)
      await free
      if (hasStopped) return
      background(notices.showDue(), toProcess)
      updates.begin()
      backups = setInterval(() => background(deskData.save(), toProcess), betweenBackupsMs).unref()
      await Promise.all([deskData.save(), begun])
    },
    stop: () => {
      hasStopped = true
      deskArchives.stop()
      clearInterval(backups)
      updates.stop()
    },
  }
}

/** The list of packages as it is shown until somebody sorts or narrows it. */
const usualRows: WhichPackages = {
  view: 'tree',
  sort: 'changed',
  descending: true,
  filter: '',
  filters: {},
  open: [],
  offset: 0,
  limit: 50,
}

/** Starts or keeps the thread that gives rows, where somebody is signed in who may ask for them. */
const beginRowsOf = (registry: Registry, questions: Questions) => () => {
  if (registry.all().length > 0) questions.begin()
}

/**
 * Whoever is signed in asks for rows as soon as there is a window: while it is made they are counted, and
 * read into memory.
 */
const prepareOf =
  (beginRows: () => void, questions: Questions, { prepare, archives }: DeskArchives) =>
  async (): Promise<void> => {
    beginRows()
    await prepare()
    const shown = archives.last()
    // Where they cannot be read, the page asks again and says so.
    if (shown) questions.ask('packages', shown.id, usualRows).catch(() => undefined)
  }

/**
 * The desk without its window: everything that it does, put together. It knows nothing of Electron, so that
 * it can be tried without. Each part is given those before it; what happens later reaches them as an event.
 * @throws Failed disk where what it keeps cannot be opened
 */
export const openDesk = (platform: Platform) => {
  const { folder, now, reportBug, warn, vault, dialects = productDialects } = platform
  const events = openEvents(reportBug)
  const deskData = openDeskData({ folder, dialects, now, warn })
  const registry = openRegistry()
  const proxies = openProxies({ resolve: platform.resolveProxy, vault })
  const updates = openDeskUpdates(platform, proxies)
  const { questions, thread } = openThreads(platform, deskData, registry, events)
  const knownDigests = openKnownDigests()
  const jobs = openJobs({ platform, deskData, registry, knownDigests, events })
  const notices = openDeskNotices({ platform, deskData, ask: questions.ask, events })
  tellPage({ platform, deskData, events })
  const deskArchives = openDeskArchives({ platform, deskData, proxies, thread, jobs, registry, events })
  const openedFiles = openFilesOf(platform)
  const { features, archiveFeatures, drop } = openFeatures({
    platform,
    deskData,
    proxies,
    newerVersion: updates.newer,
    thread,
    questions,
    ask: questions.ask,
    jobs,
    notices,
    deskArchives,
    registry,
    events,
    openedFiles,
    knownDigests,
  })
  jobs.tidy()

  const beginRows = beginRowsOf(registry, questions)
  const routine = openRoutine({ deskData, notices, updates, deskArchives })
  return {
    archives: deskArchives.archives,
    goTo: deskArchives.goTo,
    archiveOf: (id: string) => registry.of(id).archive,
    recovered: deskData.recovered,
    ...connectionsOf(deskArchives),
    unsent: jobs.unsent,
    unread: notices.unread,
    onUnread: (handle: () => void) => events.on('unread changed', handle),
    showDueNotices: notices.showDue,
    answerContent: openContentAnswers(openedFiles, (error) => reportBug(error, 'reader')),
    /** What was dropped on the window. */
    drop,
    /** Somebody has just said whether newer versions are to be asked for. */
    updatesChosen: updates.chosen,
    /** What concerns the application as a whole. */
    features,
    /** What concerns one archive. */
    archiveFeatures,
    /** Sees to that what is held can be shown: before that, nobody asks for it. */
    prepare: prepareOf(beginRows, questions, deskArchives),
    /** Somebody uses the window: what waited for nobody is ready again before a list asks. */
    used: beginRows,
    goOn: routine.goOn,
    /**
     * Stops what is under way, and waits for it for some seconds; then the readers of the local copies end,
     * and last the thread that writes them. The desk's own file stays open: what did not stop in time may
     * still write what it knows. At most five seconds; see the handbook, start and end.
     */
    stop: async () => {
      routine.stop()
      await Promise.race([jobs.engine.stop(), pass(longestStopMs, undefined, { ref: false })])
      await openedFiles.closeAll()
      await questions.close()
      deskData.closeCopies()
      await thread.close()
    },
  }
}
