import { Form } from 'react-router'
import { SEARCH_LENGTH } from '#contract/limits.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { PeopleFilter } from '#contract/people.ts'
import { useText } from '#web/core/i18n.tsx'
import { type DeskPeopleQuery, to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Segment } from '#web/ui/Segment.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './People.module.css'
import deskStyles from '#web/operate/desk/Desk.module.css'
import iconButtonStyles from '#web/ui/styles/IconButton.module.css'
import chipStyles from '#web/ui/styles/Chip.module.css'

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
  const { search, role, suspended, unconfirmed } = query
  const ticks = { suspended: tick(suspended), unconfirmed: tick(unconfirmed) }
  return to.people({ search, role, ...ticks, ...change })
}

export const isFiltered = ({ search, role, suspended, unconfirmed }: PeopleFilter): boolean =>
  search !== '' || role !== undefined || suspended || unconfirmed

/** Links and a form, so that the filters work without JavaScript. */
export function PeopleFilters({ query }: { readonly query: PeopleFilter }) {
  const { t } = useText()
  const { role, suspended, unconfirmed } = query
  return (
    <div className={styles.filters}>
      <SearchForm query={query} />
      <Segment label={t('peopleRole')}>
        {ROLES.map(([value, name]) => (
          <Chip
            key={name}
            as={Link}
            to={addressOf(query, { role: value })}
            current={role === value}
          >
            {t(name)}
          </Chip>
        ))}
      </Segment>
      <Segment label={t('videosState')}>
        {STATES.map(([state, name]) => (
          <Chip
            key={name}
            as={Link}
            to={addressOf(query, state)}
            current={state.suspended === tick(suspended) && state.unconfirmed === tick(unconfirmed)}
          >
            {t(name)}
          </Chip>
        ))}
      </Segment>
    </div>
  )
}

/** Hidden fields keep the other filters. */
function SearchForm({ query }: { readonly query: PeopleFilter }) {
  const { t } = useText()
  const { search, role, suspended, unconfirmed } = query
  return (
    <Form
      className={classes(chipStyles.seg, deskStyles.deskWords)}
      action={to.people()}
      role="search"
    >
      <label className="small quiet" htmlFor="desk-people">
        {t('peopleSearchLabel')}
      </label>
      {role !== undefined && <input type="hidden" name="role" value={role} />}
      {suspended && <input type="hidden" name="suspended" value="on" />}
      {unconfirmed && <input type="hidden" name="unconfirmed" value="on" />}
      <div>
        <TextInput
          // The key resets the input when the URL changes.
          key={search}
          id="desk-people"
          type="search"
          name="search"
          autoComplete="off"
          maxLength={SEARCH_LENGTH}
          defaultValue={search}
        />
        <button
          type="submit"
          className={classes(iconButtonStyles.iconBtn, iconButtonStyles.edge)}
          aria-label={t('peopleSearch')}
        >
          <Icon name="search" />
        </button>
      </div>
    </Form>
  )
}
