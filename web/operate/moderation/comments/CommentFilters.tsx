import type { CommentCounts, ModerationQuery } from '#contract/comments.ts'
import { DETECTED_LANGUAGES } from '#contract/items.ts'
import { useText } from '#web/core/i18n.tsx'
import { type DeskQuery, to } from '#web/core/paths.ts'
import { DeskChoice } from '#web/operate/desk/DeskFilters.tsx'
import { DeskSearch } from '#web/operate/desk/DeskSearch.tsx'
import { OpinionFilters } from '#web/operate/moderation/comments/OpinionFilters.tsx'
import { LANGUAGE_NAMES } from '#web/items/shared/item-languages.ts'

interface CommentFiltersProps {
  readonly query: ModerationQuery
  /** Number of comments by opinion. Null means too many to count. */
  readonly labels: CommentCounts
  /** Label of the drawer's button, such as "Show 12 comments". */
  readonly show: string
}

export function addressOf(query: ModerationQuery, change: DeskQuery = {}): string {
  const { label, language, search, deleted } = query
  return to.comments({ label, language, search, deleted: deleted ? 'on' : undefined, ...change })
}

export const choicesOf = ({ label, language, search }: ModerationQuery): number =>
  [label !== undefined, language !== undefined, search !== ''].filter(Boolean).length

/** Links and a form, so that the filters work without JavaScript. */
export function CommentFilters({ query, labels, show }: CommentFiltersProps) {
  const { t } = useText()
  const { label, language, search, deleted } = query
  return (
    <OpinionFilters
      query={query}
      choices={choicesOf(query)}
      labels={labels}
      searches={search !== ''}
      show={show}
      hrefOf={(change) => addressOf(query, change)}
      cleared={to.comments({ deleted: deleted ? 'on' : undefined })}
      middle={
        <DeskChoice
          label={t('language')}
          choices={[undefined, ...DETECTED_LANGUAGES].map((code) => ({
            name: t(code === undefined ? 'bandAny' : LANGUAGE_NAMES[code]),
            to: addressOf(query, { language: code }),
            current: language === code,
          }))}
        />
      }
    >
      <DeskSearch
        action={to.comments()}
        label={t('deskWords')}
        button={t('deskSearchComments')}
        search={search}
        kept={{ label, language, deleted: deleted ? 'on' : undefined }}
      />
    </OpinionFilters>
  )
}
