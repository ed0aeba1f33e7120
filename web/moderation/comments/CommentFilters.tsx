import { Form } from 'react-router'
import type { CommentCounts, ModerationQuery } from '#contract/comments.ts'
import { EXACT_TOTAL, SEARCH_LENGTH } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { type DeskQuery, to } from '#web/core/paths.ts'
import { OPINION_ORDER, OPINIONS } from '#web/moderation/comments/opinions.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Drawer, DrawerOpener } from '#web/ui/Drawer.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Segment } from '#web/ui/Segment.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/moderation/desk/Desk.module.css'
import drawerStyles from '#web/ui/styles/Drawer.module.css'
import iconButtonStyles from '#web/ui/styles/IconButton.module.css'
import chipStyles from '#web/ui/styles/Chip.module.css'

const LANGUAGES = [
  [undefined, 'bandAny'],
  ['en', 'languageEnglish'],
  ['bg', 'languageBulgarian'],
] as const

interface CommentFiltersProps {
  readonly query: ModerationQuery
  /** How many comments each opinion has; null: too many to count. */
  readonly labels: CommentCounts
  /** On the drawer's button: "Show 12 comments". */
  readonly show: string
}

/** The address of the first page with these choices. */
export function addressOf(query: ModerationQuery, change: DeskQuery = {}): string {
  const { label, language, search, deleted } = query
  return to.comments({ label, language, search, deleted: deleted ? 'on' : undefined, ...change })
}

/** How many filters are set. */
export const choicesOf = ({ label, language, search }: ModerationQuery): number =>
  [label !== undefined, language !== undefined, search !== ''].filter(Boolean).length

/** Opinion, language, words, present or deleted: links and a form, so that they work without script. */
export function CommentFilters({ query, labels, show }: CommentFiltersProps) {
  const { t, formatNumber } = useText()
  const { label, language, search, deleted } = query
  const numberOf = (count: number | null) => {
    if (count !== null) return formatNumber(count)
    // Of words that are everywhere only the chosen opinion is counted, and the page's head says it.
    return search === '' ? `${formatNumber(EXACT_TOTAL)}+` : undefined
  }
  return (
    <>
      <DrawerOpener target="filters">{t('deskFilter', { count: choicesOf(query) })}</DrawerOpener>
      <Drawer id="filters" className={drawerStyles.filters}>
        <Segment label={t('deskOpinion')}>
          <Chip
            as={Link}
            to={addressOf(query, { label: undefined })}
            current={label === undefined}
            count={numberOf(labels.ALL)}
          >
            {t('bandAny')}
          </Chip>
          {OPINION_ORDER.map((opinion) => (
            <Chip
              key={opinion}
              as={Link}
              to={addressOf(query, { label: opinion })}
              current={label === opinion}
              none={labels[opinion] === 0 && label !== opinion}
              count={numberOf(labels[opinion])}
            >
              {t(OPINIONS[opinion].name)}
            </Chip>
          ))}
        </Segment>
        <Segment label={t('language')}>
          {LANGUAGES.map(([code, name]) => (
            <Chip
              key={name}
              as={Link}
              to={addressOf(query, { language: code })}
              current={language === code}
            >
              {t(name)}
            </Chip>
          ))}
        </Segment>
        <Segment label={t('deskShow')}>
          <Chip as={Link} to={addressOf(query, { deleted: undefined })} current={!deleted}>
            {t('deskShowPresent')}
          </Chip>
          <Chip as={Link} to={addressOf(query, { deleted: 'on' })} current={deleted}>
            {t('deskShowDeleted')}
          </Chip>
        </Segment>
        <WordsForm query={query} />
        <div className={drawerStyles.sheetEnd}>
          <Button kind="main" popoverTarget="filters">
            {show}
          </Button>
          <ButtonLink as={Link} to={to.comments({ deleted: deleted ? 'on' : undefined })}>
            {t('clear')}
          </ButtonLink>
        </div>
      </Drawer>
    </>
  )
}

/** The search by words; the other choices go with it as hidden fields, so that none is lost. */
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
          // Another address, another term.
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
