import Activity from '@lucide/svelte/icons/activity'
import ArchiveBox from '@lucide/svelte/icons/archive'
import Bell from '@lucide/svelte/icons/bell'
import ChevronsUpDown from '@lucide/svelte/icons/chevrons-up-down'
import ClipboardList from '@lucide/svelte/icons/clipboard-list'
import Cloud from '@lucide/svelte/icons/cloud'
import CloudAlert from '@lucide/svelte/icons/cloud-alert'
import CloudOff from '@lucide/svelte/icons/cloud-off'
import Copy from '@lucide/svelte/icons/copy'
import Locked from '@lucide/svelte/icons/lock'
import Unlocked from '@lucide/svelte/icons/lock-open'
import Flat from '@lucide/svelte/icons/list'
import Layers from '@lucide/svelte/icons/layers'
import Link from '@lucide/svelte/icons/link'
import Plus from '@lucide/svelte/icons/plus'
import Printer from '@lucide/svelte/icons/printer'
import Tree from '@lucide/svelte/icons/list-tree'
import Order from '@lucide/svelte/icons/clipboard-plus'
import Read from '@lucide/svelte/icons/book-open'
import CircleAlert from '@lucide/svelte/icons/circle-alert'
import CircleQuestion from '@lucide/svelte/icons/circle-help'
import Bookmark from '@lucide/svelte/icons/bookmark'
import MapPin from '@lucide/svelte/icons/map-pin'
import User from '@lucide/svelte/icons/user-round'
import Clock from '@lucide/svelte/icons/history'
import Folder from '@lucide/svelte/icons/folder'
import FolderTree from '@lucide/svelte/icons/folder-tree'
import Columns from '@lucide/svelte/icons/columns-3'
import Database from '@lucide/svelte/icons/database'
import Download from '@lucide/svelte/icons/download'
import Help from '@lucide/svelte/icons/circle-question-mark'
import House from '@lucide/svelte/icons/house'
import Inbox from '@lucide/svelte/icons/inbox'
import LogIn from '@lucide/svelte/icons/log-in'
import Network from '@lucide/svelte/icons/network'
import Pause from '@lucide/svelte/icons/pause'
import Play from '@lucide/svelte/icons/play'
import Package from '@lucide/svelte/icons/package'
import Search from '@lucide/svelte/icons/search'
import Square from '@lucide/svelte/icons/square'
import Send from '@lucide/svelte/icons/send'
import Settings from '@lucide/svelte/icons/settings'
import ShieldCheck from '@lucide/svelte/icons/shield-check'

import Picture from '@lucide/svelte/icons/image'
import Document from '@lucide/svelte/icons/file-text'
import Letter from '@lucide/svelte/icons/mail'
import Sheet from '@lucide/svelte/icons/table-2'
import Sound from '@lucide/svelte/icons/audio-lines'
import Film from '@lucide/svelte/icons/film'
import Web from '@lucide/svelte/icons/globe'
import Markup from '@lucide/svelte/icons/code-xml'
import Container from '@lucide/svelte/icons/file-archive'
import AnyFile from '@lucide/svelte/icons/file'
import OpenFolder from '@lucide/svelte/icons/folder-open'
import ZoomIn from '@lucide/svelte/icons/zoom-in'
import ZoomOut from '@lucide/svelte/icons/zoom-out'
import Fit from '@lucide/svelte/icons/maximize'
import Rotate from '@lucide/svelte/icons/rotate-cw'
import Brightness from '@lucide/svelte/icons/sun'
import Compare from '@lucide/svelte/icons/columns-2'
import Back from '@lucide/svelte/icons/arrow-left'
import Open from '@lucide/svelte/icons/arrow-right'
import Previous from '@lucide/svelte/icons/chevron-left'
import Next from '@lucide/svelte/icons/chevron-right'
import FindIn from '@lucide/svelte/icons/text-search'
import Facts from '@lucide/svelte/icons/panel-right'
import Shield from '@lucide/svelte/icons/shield'
import ShieldAlert from '@lucide/svelte/icons/shield-alert'

/** One drawing for one meaning, by the names of Lucide. */
export const icons = {
  desk: House,
  packages: Package,
  reader: Read,
  search: Search,
  transfers: Send,
  orders: ClipboardList,
  checks: ShieldCheck,
  storage: Database,
  description: Network,
  activity: Activity,
  settings: Settings,
  choose: ChevronsUpDown,
  online: Cloud,
  uneasy: CloudAlert,
  offline: CloudOff,
  'signed-out': LogIn,
  outbox: Inbox,
  notices: Bell,
  help: Help,
  columns: Columns,
  save: Download,
  failed: CircleAlert,
  question: CircleQuestion,
  watched: Bookmark,
  copy: Copy,
  locked: Locked,
  unlocked: Unlocked,
  flat: Flat,
  tree: Tree,
  link: Link,
  more: Plus,
  print: Printer,
  'add-to-order': Order,
  generation: Layers,
  open: Open,
  agent: User,
  location: MapPin,
  before: Clock,
  archive: ArchiveBox,
  series: FolderTree,
  volume: Folder,
  pause: Pause,
  'go-on': Play,
  stop: Square,
  folder: Folder,
  picture: Picture,
  document: Document,
  letter: Letter,
  sheet: Sheet,
  sound: Sound,
  film: Film,
  web: Web,
  markup: Markup,
  container: Container,
  file: AnyFile,
  'open-folder': OpenFolder,
  'zoom-in': ZoomIn,
  'zoom-out': ZoomOut,
  fit: Fit,
  rotate: Rotate,
  brightness: Brightness,
  compare: Compare,
  back: Back,
  previous: Previous,
  next: Next,
  'find-in': FindIn,
  facts: Facts,
  unchecked: Shield,
  altered: ShieldAlert,
} as const

export type IconName = keyof typeof icons
