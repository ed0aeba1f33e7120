import type { MessageKey } from '#contract/messages/messages.ts'
import type { PeopleFilter } from '#contract/people.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { useText } from '#web/core/i18n.tsx'
import { type DeskPeopleQuery, to } from '#web/core/paths.ts'
import { DeskChoice, DeskFilters } from '#web/operate/desk/DeskFilters.tsx'
import { DeskSearch } from '#web/operate/desk/DeskSearch.tsx'

const ROLES: readonly (readonly [PeopleFilter['role'], MessageKey])[] = [
  [undefined, 'bandAny'],
  ['administrator', 'peopleAdministrators'],
  ['user', 'peopleUsers'],
]

const STATES: readonly (readonly [
  Pick<DeskPeopleQuery, 'suspended' | 'unconfirmed'>,
  MessageKey,
])[] = [
  [{ suspended: undefined, unconfirmed: undefined }, 'bandAny'],
  [{ suspended: 'on', unconfirmed: undefined }, 'peopleSuspended'],
  [{ suspended: undefined, unconfirmed: 'on' }, 'peopleUnconfirmed'],
]

const tick = (isOn: boolean): 'on' | undefined => (isOn ? 'on' : undefined)

export function addressOf(query: PeopleFilter, change: DeskPeopleQuery = {}): string {
  const { search, role, suspended, unconfirmed, invitedBy } = query
  const ticks = { suspended: tick(suspended), unconfirmed: tick(unconfirmed) }
  return to.people({ search, role, ...ticks, invitedBy, ...change })
}

export const isFiltered = (query: PeopleFilter): boolean => addressOf(query) !== to.people()

/** Links and a form, so that the filters work without JavaScript. */
export function PeopleFilters({
  query,
  inviter,
}: {
  readonly query: PeopleFilter
  readonly inviter: ProfileCard | null
}) {
  const { t } = useText()
  const { search, role, suspended, unconfirmed, invitedBy } = query
  return (
    <DeskFilters>
      <DeskSearch
        action={to.people()}
        label={t('peopleSearchLabel')}
        button={t('peopleSearch')}
        search={search}
        kept={{ role, suspended: tick(suspended), unconfirmed: tick(unconfirmed), invitedBy }}
      />
      <DeskChoice
        label={t('peopleRole')}
        choices={ROLES.map(([value, name]) => ({
          name: t(name),
          to: addressOf(query, { role: value }),
          current: role === value,
        }))}
      />
      <DeskChoice
        label={t('videosState')}
        choices={STATES.map(([state, name]) => ({
          name: t(name),
          to: addressOf(query, state),
          current: state.suspended === tick(suspended) && state.unconfirmed === tick(unconfirmed),
        }))}
      />
      {invitedBy !== undefined && (
        <DeskChoice
          label={t('peopleInvitedBy')}
          choices={[
            { name: t('bandAny'), to: addressOf(query, { invitedBy: undefined }), current: false },
            {
              name: inviter?.userName ?? t('formerMember'),
              to: addressOf(query),
              current: true,
            },
          ]}
        />
      )}
    </DeskFilters>
  )
}
