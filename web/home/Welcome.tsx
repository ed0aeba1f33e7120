import type { HomeNumbers } from '#contract/home.ts'
import { LESSON_REWARD } from '#contract/limits.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { SearchBox } from '#web/layout/search/SearchBox.tsx'

/** One sentence, the search, real numbers: for who does not know the place yet. */
export function Welcome({ numbers }: { readonly numbers: HomeNumbers }) {
  const { t, formatNumber } = useText()
  const bold = { b: <b /> }
  return (
    <div className="wrap hero">
      <div>
        <h1>{t('homeTitle')}</h1>
        <p>{t('homeLead', { points: LESSON_REWARD })}</p>
      </div>
      <SearchBox
        className="search big"
        label={t('homeSearchAll')}
        fieldLabel={t('homeSearchLabel')}
        hint={t('homeSearchHint')}
        lessonsOnly
      >
        <button type="submit" className="btn">
          {t('searchLabel')}
        </button>
      </SearchBox>
      <p className="tally">
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
