import { entryIn } from '../../../electron/common/records.ts'
import type { MetsFile, PackagePage } from '../../../electron/contract/packages.ts'
import { say, shown } from '../../language/say.svelte.ts'
import { addressOf } from '../../state/place.svelte.ts'

const flag = (value: boolean | null) =>
  value === null ? say.common.unknown : value ? say.common.yes : say.common.no
const moment = (name: string, iso: string | null) => ({
  name,
  value: shown.wholeMoment(iso),
  title: iso ?? undefined,
})
const day = (name: string, iso: string | null) => ({
  name,
  value: shown.day(iso),
  title: iso ?? undefined,
})
const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const digestOf = (name: string, mets: MetsFile | null) => ({
  name,
  term: 'mets' as const,
  value: mets === null ? say.common.none : `${mets.algorithm} ${mets.digest}`,
  title:
    mets === null
      ? undefined
      : `${shown.wholeMoment(mets.made)} · ${mets.bytes === null ? '' : shown.size(mets.bytes)}`,
  isExact: mets !== null,
})

/** Who made, submitted, keeps and answers for a package, and by which agreement. */
export const whoOf = (page: PackagePage) => {
  const words = say.package.fields
  const shownPackage = page.package
  return [
    ...shownPackage.agents.map(({ key, id, role, type, name, code, notes }) => ({
      title: `${key}${id === null ? '' : ` · ${id}`}`,
      name:
        entryIn(say.package.roles, key) ??
        [entryIn(say.package.roles, role) ?? (role || key), entryIn(say.package.kinds, type) ?? type]
          .filter(Boolean)
          .join(', '),
      value: [name, code, ...notes].filter(Boolean).join(' · '),
    })),
    {
      name: words.responsible,
      value: shownPackage.responsible
        ? [shownPackage.responsible.name, shownPackage.responsible.username, shownPackage.responsible.email]
            .filter(Boolean)
            .join(' · ')
        : say.common.none,
      title: shownPackage.responsible
        ? [
            shownPackage.responsible.id,
            `${words.joined} ${shown.wholeMoment(shownPackage.responsible.joined)}`,
            `${words.lastLogin} ${shown.wholeMoment(shownPackage.responsible.lastLogin)}`,
          ].join(' · ')
        : undefined,
    },
    { name: words.organization, value: shownPackage.organization ?? say.common.none },
    {
      name: words.agreement,
      term: 'agreement' as const,
      value:
        shownPackage.agreement === null
          ? say.common.none
          : [
              page.agreementName ?? shownPackage.agreement,
              shownPackage.isAgreementLocked ? `(${words.locked})` : '',
            ]
              .filter(Boolean)
              .join(' '),
    },
  ]
}

/** Who is asked for first: whose records they are, who brought them, and by which agreement they are kept. */
export const leadingOf = (page: PackagePage) => {
  const words = say.package.fields
  const { agents, policy, agreement } = page.package
  const named = (role: string) =>
    [
      ...new Set(
        agents.filter((agent) => agent.role === role && agent.type !== 'SOFTWARE').map(({ name }) => name),
      ),
    ].join(', ')
  return [
    { name: say.package.roles['ARCHIVIST'] ?? '', value: named('ARCHIVIST') },
    { name: say.package.roles['CREATOR'] ?? '', value: named('CREATOR') },
    { name: say.package.roles['SUBMITTER'] ?? '', value: named('SUBMITTER') },
    { name: words.agreement, term: 'agreement' as const, value: page.agreementName ?? agreement ?? '' },
    { name: words.policy, term: 'policy' as const, value: page.policyName ?? policy ?? '' },
  ].filter(({ value }) => value !== '')
}

/** The digests of a package and of its METS files. */
export const integrityOf = (page: PackagePage) => {
  const words = say.package.fields
  const shownPackage = page.package
  return [
    {
      name: words.digest,
      term: 'digest' as const,
      value:
        shownPackage.digest === '' ? say.common.none : `${shownPackage.algorithm} ${shownPackage.digest}`,
      isExact: shownPackage.digest !== '',
    },
    digestOf(words.packageMets, shownPackage.packageMets),
    digestOf(words.contentMets, shownPackage.contentMets),
  ]
}

/** What a package is called, and where it stands among its generations. */
export const identityOf = (page: PackagePage) => {
  const words = say.package.fields
  const shownPackage = page.package
  const generation = page.generations.findIndex(({ id }) => id === shownPackage.id) + 1
  return [
    { name: words.id, value: shownPackage.id, isExact: true },
    { name: words.identifier, value: shownPackage.identifier, isExact: true },
    {
      name: words.type,
      term: shownPackage.type === 'AIC' ? ('aic' as const) : ('aip' as const),
      value: shownPackage.type,
    },
    ...(generation === 0
      ? []
      : [
          {
            name: words.generation,
            term: 'generation' as const,
            value: say.packages.placeOfGeneration(generation, page.generations.length),
          },
        ]),
    { name: words.first, value: flag(shownPackage.isFirst) },
    { name: words.last, value: flag(shownPackage.isLast) },
    ...(page.aic && page.aic.id !== shownPackage.id
      ? [
          {
            name: words.aic,
            term: 'aic' as const,
            value: `AIC ${page.aic.id}`,
            isExact: true,
            href: addressOf('packages', page.aic.id),
          },
        ]
      : []),
  ]
}

/** When it was made and taken in, and what its contents are from. */
export const datesOf = (page: PackagePage) => {
  const words = say.package.fields
  const shownPackage = page.package
  return [
    moment(words.created, shownPackage.created),
    moment(words.entered, shownPackage.entered),
    day(words.started, shownPackage.started),
    day(words.ended, shownPackage.ended),
    day(words.appraised, shownPackage.appraised),
  ]
}

/** How and how far it is kept. */
export const keepingOf = (page: PackagePage) => {
  const words = say.package.fields
  const shownPackage = page.package
  return [
    { name: words.state, value: shown.word(shownPackage.state) || '—', title: shownPackage.state },
    {
      name: words.stepState,
      value: shown.word(shownPackage.stepState) || '—',
      title: shownPackage.stepState,
    },
    {
      name: words.status,
      value: shownPackage.status === null ? '—' : shown.percent(shownPackage.status / 100),
    },
    { name: words.archived, value: flag(shownPackage.archived) },
    { name: words.cached, value: flag(shownPackage.cached) },
    { name: words.policy, value: page.policyName ?? shownPackage.policy ?? say.common.none },
    {
      name: words.size,
      value: shown.size(shownPackage.bytes),
      title: `${shown.number(shownPackage.bytes)} B`,
    },
    ...(shownPackage.items === null ? [] : [{ name: words.items, value: shown.number(shownPackage.items) }]),
    { name: words.path, value: shownPackage.path || '—', isExact: true },
    {
      name: words.workarea,
      value: shownPackage.workarea.length === 0 ? say.common.no : text(shownPackage.workarea),
    },
    ...(shownPackage.newVersion === null
      ? []
      : [{ name: words.newVersion, value: text(shownPackage.newVersion) }]),
  ]
}

/** The profiles that it follows. */
export const profilesOf = (page: PackagePage) => {
  const words = say.package.fields
  const shownPackage = page.package
  return shownPackage.profiles.map(
    ({ type, id, name, profile, included, lockedBy, isUnlockable, dataVersions }) => ({
      name: shown.profileKind(type),
      value: [
        name || profile,
        included ? say.package.profile.included : say.package.profile.notIncluded,
        ...(lockedBy === null ? [] : [say.package.profile.lockedBy(lockedBy)]),
        ...(isUnlockable ? [say.package.profile.unlockable] : []),
        ...(dataVersions.length === 0 ? [] : [say.package.profile.data(dataVersions.length)]),
      ].join(' · '),
      title: `${words.id} ${id} · ${profile}`,
    }),
  )
}
