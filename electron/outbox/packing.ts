import path from 'node:path'
import { Failed, type Failure } from '../contract/failure.ts'
import type { Counts } from '../contract/counts.ts'
import type { DraftProfile, Progress, Survey } from '../contract/transfers.ts'
import {
  checkAlgorithms,
  checkForm,
  checkInfo,
  readProfile,
  type Profile,
} from '../packaging/bagit/profile.ts'
import type { Tag } from '../packaging/bagit/tag-files.ts'
import type { Reins, WorkProgress } from '../packaging/pack/control.ts'
import { endingOf } from '../packaging/pack/forms.ts'
import { discard, packBag, putAway, sweep } from '../packaging/pack/pack.ts'
import type { PackagingScripts } from '../packaging/scripts.ts'
import type { KeptTransfer } from '../store/desk.ts'
import { countSource, skippedOf, sum } from './sources.ts'

interface Parts {
  bags: string
  scripts: PackagingScripts
  version: string
  now: () => Date
  keep: (it: KeptTransfer) => KeptTransfer
  need: (id: string) => KeptTransfer
  progress: (progress: Progress) => void
  failureOf: (error: unknown) => Failure
}

/** Tags of bag-info.txt as a draft has them; Payload-Oxum comes when it is packed. */
const tagsOf = (it: KeptTransfer, profile: Profile | undefined, version: string, now: Date): Tag[] => [
  ['Source-Organization', it.form.organization],
  ['Organization-Address', it.form.address],
  ['Contact-Name', it.form.person],
  ['Contact-Email', it.form.email],
  ['External-Description', it.form.name],
  ['External-Identifier', it.form.identifier],
  ['Internal-Sender-Identifier', it.id],
  ['Internal-Sender-Description', it.form.description],
  ['Bagging-Date', now.toISOString().slice(0, 10)],
  ['Bag-Software-Agent', `Lectern ${version}`],
  ...(profile
    ? [['BagIt-Profile-Identifier', profile['BagIt-Profile-Info']['BagIt-Profile-Identifier']] as Tag]
    : []),
  ...Object.entries(it.form.tags).filter(([, value]) => value.trim() !== ''),
]

const profileOf = ({ profileText }: KeptTransfer): Profile | undefined => {
  const read = profileText === null ? undefined : readProfile(profileText)
  return read && 'profile' in read ? read.profile : undefined
}

/** Labels that the form has fields for, or that are filled in by themselves. */
const ownLabels = new Set([
  'source-organization',
  'organization-address',
  'contact-name',
  'contact-email',
  'external-description',
  'external-identifier',
  'internal-sender-identifier',
  'internal-sender-description',
  'bagging-date',
  'bag-software-agent',
  'payload-oxum',
  'bagit-profile-identifier',
])

/** How far a work is, in the words of the contract. */
export const meter = (id: string, work: Progress['work'], progress: (progress: Progress) => void) => {
  let of: Counts = { files: 0, folders: 0, bytes: 0 }
  const began = performance.now()
  return {
    onPlan: ({ counts }: { counts: Counts }) => {
      of = counts
      progress({
        id,
        work,
        files: 0,
        ofFiles: of.files,
        bytes: 0,
        ofBytes: of.bytes,
        bytesPerSecond: 0,
        file: '',
      })
    },
    onProgress: ({ phase, files, bytes, file }: WorkProgress) => {
      const now = work === 'packing' ? phase : work
      progress({
        id,
        work: now,
        files,
        ofFiles: of.files,
        bytes,
        ofBytes: of.bytes,
        bytesPerSecond: bytes / Math.max(0.001, (performance.now() - began) / 1000),
        file,
      })
    },
  }
}

/** Whether a walk finds what the draft showed when it was packed: nobody should be given another bag than the one they looked at. */
const isAsCounted = ({ sources }: KeptTransfer, { counts, skipped }: Survey) => {
  const shown = sum(sources)
  return (
    shown.files === counts.files &&
    shown.folders === counts.folders &&
    shown.bytes === counts.bytes &&
    skippedOf(sources) === skipped.count
  )
}

/** Packs drafts: what is under way can be paused, made polite and cancelled, and goes on after a crash. */
export const openPacking = ({ bags, scripts, version, now, keep, need, progress, failureOf }: Parts) => {
  const held = new Map<string, Reins>()
  const targetOf = ({ id, packing }: KeptTransfer) => path.join(bags, `${id}${endingOf(packing.form)}`)

  /** What a profile asks for that the draft does not have yet. */
  const draftProfile = (it: KeptTransfer): DraftProfile | null => {
    const profile = profileOf(it)
    if (!profile) return null
    const { packing } = it
    const broken = [
      ...checkInfo(profile, [...tagsOf(it, profile, version, now()), ['Payload-Oxum', '0.0']]),
      ...checkForm(profile, packing.form),
      ...checkAlgorithms(profile, [packing.algorithm], [packing.algorithm]),
    ]
    const info = profile['BagIt-Profile-Info']
    return {
      name: info['External-Description'] || info['BagIt-Profile-Identifier'],
      identifier: info['BagIt-Profile-Identifier'],
      fields: Object.entries(profile['Bag-Info'])
        .filter(([label]) => !ownLabels.has(label.toLowerCase()))
        .map(([label, { required, values, description }]) => ({
          label,
          isRequired: required,
          values: values ?? [],
          description,
        })),
      problems: broken.map(({ rule, label, detail }) => ({ rule, label, detail })),
    }
  }

  /** Counts the sources anew and says what they hold now: the draft is looked at again before it is packed. */
  const recount = async (it: KeptTransfer) => {
    const sources = await Promise.all(it.sources.map((source) => countSource(source.path, scripts)))
    const now = sum(sources)
    keep({
      ...need(it.id),
      stage: 'draft',
      isPaused: false,
      bag: null,
      sources,
      counts: now,
      failure: { kind: 'recounted', before: it.counts, now },
    })
  }

  const packNow = async (id: string, signal: AbortSignal) => {
    const it = keep({ ...need(id), stage: 'packing', failure: null })
    const target = targetOf(it)
    const { form, algorithm, isPolite } = it.packing
    const profile = profileOf(it)
    const changed = new AbortController()
    const told = meter(id, 'packing', progress)
    try {
      await putAway(target)
      const packed = await packBag(
        {
          sources: it.sources.map((source) => source.path),
          target,
          form,
          algorithms: [algorithm],
          info: tagsOf(it, profile, version, now()),
        },
        {
          scripts: scripts.pack,
          signal: AbortSignal.any([signal, changed.signal]),
          isIdentified: true,
          onProgress: told.onProgress,
          onPlan: (survey) => {
            told.onPlan(survey)
            if (!isAsCounted(it, survey)) changed.abort()
          },
          ...(profile ? { profile } : {}),
          onReins: (reins) => {
            held.set(id, reins)
            reins.bePolite(isPolite)
            if (need(id).isPaused) reins.pause()
          },
        },
      )
      // A small bag may be done before anybody could stop it.
      if (!isAsCounted(it, packed)) {
        await putAway(target)
        await recount(it)
        return
      }
      const { counts, skipped, manifest, content, formats } = packed
      const bag = {
        path: target,
        form,
        algorithm,
        counts,
        skipped: skipped.count,
        manifest,
        content,
        formats,
      }
      keep({
        ...need(id),
        stage: 'prepared',
        isPaused: false,
        bag,
        counts,
        times: { ...it.times, prepared: now().toISOString() },
      })
    } catch (error) {
      // The program ends: the draft is still being packed, and goes on when it runs again.
      if (signal.aborted && signal.reason === 'quit') return
      if (signal.aborted || changed.signal.aborted) await discard(target)
      if (changed.signal.aborted && !signal.aborted) await recount(it)
      else
        keep({
          ...need(id),
          stage: 'draft',
          isPaused: false,
          bag: null,
          failure: signal.aborted ? null : failureOf(error),
        })
    } finally {
      held.delete(id)
    }
  }

  const pause = (id: string, is: boolean) => {
    const it = need(id)
    if (it.stage !== 'packing') throw new Failed({ kind: 'conflict', detail: it.stage })
    if (is) held.get(id)?.pause()
    else held.get(id)?.goOn()
    return keep({ ...it, isPaused: is })
  }

  return {
    packNow,
    pause,
    draftProfile,
    bePolite: (id: string, is: boolean) => held.get(id)?.bePolite(is),
    /** Removes what an earlier run did not live to remove. */
    sweep: () => sweep(bags),
    /** Removes a bag and whatever an unfinished work left of it. */
    remove: async (it: KeptTransfer) => {
      await putAway(...(it.bag ? [it.bag.path] : []))
      await discard(targetOf(it))
    },
  }
}
