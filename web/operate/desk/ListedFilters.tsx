import { useText } from '#web/core/i18n.tsx'
import type { ListedQuery } from '#web/core/paths.ts'
import { DeskChoice, DeskFilters } from '#web/operate/desk/DeskFilters.tsx'
import { DeskSearch } from '#web/operate/desk/DeskSearch.tsx'

interface ListedFiltersProps {
  readonly pathOf: (query: ListedQuery) => string
  readonly search: string
  readonly done: boolean
}

/** The filters of reports, problems and appeals, which are open or done. */
export function ListedFilters({ pathOf, search, done }: ListedFiltersProps) {
  const { t } = useText()
  return (
    <DeskFilters>
      <DeskSearch
        action={pathOf({})}
        label={t('deskWords')}
        button={t('deskSearch')}
        search={search}
        kept={{ show: done ? 'done' : undefined }}
      />
      <DeskChoice
        label={t('videosState')}
        choices={[
          { name: t('deskOpen'), to: pathOf({ search }), current: !done },
          { name: t('deskDone'), to: pathOf({ search, show: 'done' }), current: done },
        ]}
      />
    </DeskFilters>
  )
}
