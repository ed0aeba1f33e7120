import { Form } from 'react-router'
import { DETECTED_LANGUAGES } from '#contract/items.ts'
import type { CommentCounts, ModerationQuery } from '#contract/comments.ts'
import { SEARCH_LENGTH } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { type DeskQuery, to } from '#web/core/paths.ts'
import { OpinionFilters } from '#web/operate/moderation/comments/OpinionFilters.tsx'
import { LANGUAGE_NAMES } from '#web/items/shared/item-languages.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Segment } from '#web/ui/Segment.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/operate/desk/Desk.module.css'
import iconButtonStyles from '#web/ui/styles/IconButton.module.css'
import chipStyles from '#web/ui/styles/Chip.module.css'

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
  const { language, search, deleted } = query
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
        <Segment label={t('language')}>
          {[undefined, ...DETECTED_LANGUAGES].map((code) => (
            <Chip
              key={code ?? 'any'}
              as={Link}
              to={addressOf(query, { language: code })}
              current={language === code}
            >
              {t(code === undefined ? 'bandAny' : LANGUAGE_NAMES[code])}
            </Chip>
          ))}
        </Segment>
      }
    >
      <WordsForm query={query} />
    </OpinionFilters>
  )
}

/** Hidden fields keep the other filters. */
function WordsForm({ query }: { readonly query: ModerationQuery }) {
  const { t } = useText()
  const { label, language, search, deleted } = query
  return (
    <Form
      className={classes(chipStyles.seg, styles.deskWords)}
      action={to.comments()}
      role="search"
    >
      <label className="small quiet" htmlFor="desk-words">
        {t('deskWords')}
      </label>
      {label !== undefined && <input type="hidden" name="label" value={label} />}
      {language !== undefined && <input type="hidden" name="language" value={language} />}
      {deleted && <input type="hidden" name="deleted" value="on" />}
      <div>
        <TextInput
          // The key resets the input when the URL changes.
          key={search}
          id="desk-words"
          type="search"
          name="search"
          autoComplete="off"
          maxLength={SEARCH_LENGTH}
          defaultValue={search}
        />
        <button
          type="submit"
          className={classes(iconButtonStyles.iconBtn, iconButtonStyles.edge)}
          aria-label={t('deskSearchComments')}
        >
          <Icon name="search" />
        </button>
      </div>
    </Form>
  )
}
