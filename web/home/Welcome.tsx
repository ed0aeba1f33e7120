import type { HomeNumbers } from '#contract/home.ts'
import { LESSON_REWARD } from '#contract/limits.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { SearchBox } from '#web/layout/search/SearchBox.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/layout/header/Header.module.css'
import homeStyles from './Home.module.css'
import buttonStyles from '#web/ui/styles/Button.module.css'

/** One sentence, the search, real numbers: for who does not know the place yet. */
export function Welcome({ numbers }: { readonly numbers: HomeNumbers }) {
  const { t, formatNumber } = useText()
  const bold = { b: <b /> }
  return (
    <div className={classes('wrap', homeStyles.hero)}>
      <div>
        <h1>{t('homeTitle')}</h1>
        <p>{t('homeLead', { points: LESSON_REWARD })}</p>
      </div>
      <SearchBox
        className={classes(buttonStyles.big, homeStyles.search, homeStyles.big, styles.search)}
        label={t('homeSearchAll')}
        fieldLabel={t('homeSearchLabel')}
        hint={t('homeSearchHint')}
        lessonsOnly
      >
        <button type="submit" className={classes('btn', buttonStyles.btn)}>
          {t('searchLabel')}
        </button>
      </SearchBox>
      <p className={homeStyles.tally}>
        <span>
          <Rich
            id="homeLessons"
            values={{ count: numbers.lessons, shown: formatNumber(numbers.lessons) }}
            components={bold}
          />
        </span>
        <span>
          <Rich
            id="homeCourses"
            values={{ count: numbers.courses, shown: formatNumber(numbers.courses) }}
            components={bold}
          />
        </span>
        <span>
          <Rich
            id="homeAuthors"
            values={{ count: numbers.authors, shown: formatNumber(numbers.authors) }}
            components={bold}
          />
        </span>
      </p>
    </div>
  )
}
