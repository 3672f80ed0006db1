import { isRecord } from '../common/records.ts'
import type { Dialect } from './dialect.ts'
import { readContents } from './essarch/contents.ts'
import * as dips from './essarch/dips.ts'
import { isContainer, listFiles, listMembers, pathOf } from './essarch/files.ts'
import { recent } from './essarch/recent.ts'
import { submission } from './essarch/submissions.ts'
import { isAskedOf, requestOf } from './essarch/ways.ts'
import { readEventsAndCopies, readStep, readWork, whyFailed } from './essarch/work.ts'
import { pollNotifications, markSeen } from './specification/activity.ts'
import { askCapabilities, chooseOrganization } from './specification/capabilities.ts'
import { changeOf, readNow, sendChange, valuesOf } from './specification/changes.ts'
import { askOptions, bodyOf, choicesIn, readForm, titleIn } from './specification/forms.ts'
import { described, lists } from './specification/lists.ts'
import { conventions } from './specification/conventions.ts'
import { saying, wasMadeSince } from './specification/match.ts'
import { formOfOrder, readOrder, sayingOf } from './specification/orders.ts'
import { isPreserved, toPackage } from './specification/packages.ts'
import { idOf, readRecord } from './specification/records.ts'
import { referringTo } from './specification/references.ts'
import { queryIn, readQuery } from './specification/saved-searches.ts'
import { askIndex } from './specification/search.ts'
import { accountPath, endToken, obtainToken, readMe } from './specification/session.ts'
import { createTransfer } from './specification/transfers.ts'
import { wordsOf, wordsVersion } from './specification/words.ts'

/**
 * The interface of the specification, with what ESSArch, whose interface it describes, has beyond it. How
 * much of that an archive has, its
 * capabilities say: an archive that keeps to the specification alone is asked for nothing else.
 */
export const specification: Dialect = {
  name: 'specification',
  conventions,
  session: { accountPath, account: readMe, obtainToken, endToken },
  capabilities: askCapabilities,
  chooseOrganization,
  lists,
  described,
  wordsOf,
  wordsVersion,
  isPreserved,
  readPackage: toPackage,
  records: { read: readRecord, referringTo },
  contents: { read: readContents },
  orders: { read: readOrder, form: formOfOrder, ofForm: sayingOf },
  news: { poll: pollNotifications, markSeen, pushPath: 'ws/', recent },
  creating: {
    ask: askOptions,
    isAsked: isAskedOf,
    form: readForm,
    choices: choicesIn,
    titleOf: titleIn,
    request: (list, { fields, values }, remoteOf, capabilities) =>
      requestOf(list, bodyOf(fields, values, remoteOf), capabilities),
    pathOf: (list) => `${list}/`,
    // A bare text or number is no record, and names none.
    idOf: (answer) => (isRecord(answer) ? idOf(answer) : ''),
    saying,
    wasMadeSince,
  },
  changing: { read: readNow, valuesOf, changeOf, send: sendChange },
  search: askIndex,
  storedSearches: { queryIn, read: readQuery },
  transfers: { register: createTransfer },
  submission,
  files: { list: listFiles, pathOf, isContainer, members: listMembers },
  work: { steps: readWork, step: readStep, eventsAndCopies: readEventsAndCopies },
  dissemination: {
    find: dips.findByIdentifier,
    register: dips.registerDip,
    status: dips.statusOf,
    agree: dips.agree,
    prepare: dips.prepare,
    fetch: dips.getFromStorage,
    inWorkspace: dips.inWorkspace,
    copier: dips.copierInto,
    create: dips.createDip,
    whyFailed,
  },
}
