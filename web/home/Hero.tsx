import { LESSON_REWARD } from '#contract/limits.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { textLanguage } from '#web/core/text-language.ts'
import type { HomeData } from '#web/home/HomePage.data.ts'
import { SearchBox } from '#web/layout/search/SearchBox.tsx'
import { Shelf } from '#web/ui/books/Shelf.tsx'
import { Spine } from '#web/ui/books/Spine.tsx'

/** One sentence, the search, real numbers, and the newest lessons standing on the counter. */
export function Hero({ data }: { readonly data: HomeData }) {
  const { t, formatNumber } = useText()
  const { numbers, newest } = data
  const bold = { b: <b /> }
  return (
    <>
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
      {newest.length > 0 && (
        <Shelf label={t('homeShelf')}>
          {newest.map((lesson, place) => (
            <Spine
              key={lesson.id}
              as={Link}
              to={to.lesson(lesson.id)}
              seed={lesson.id}
              title={lesson.title}
              lang={textLanguage(lesson.title)}
              rise={riseAt(place, newest.length)}
              plain={place % 3 === 1}
            />
          ))}
        </Shelf>
      )}
      <div className="counter" />
    </>
  )
}

/** The row is level under the words and climbs in its last third. */
function riseAt(place: number, count: number): number {
  return Math.max(0, (place / count - 0.58) / 0.42)
}
