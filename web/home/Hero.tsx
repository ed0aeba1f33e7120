import { Form, Link } from 'react-router'
import { LESSON_REWARD, SEARCH_LENGTH } from '#contract/limits.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import type { HomeData } from '#web/home/HomePage.data.ts'
import { useSearchSubmit } from '#web/layout/search.ts'
import { Shelf } from '#web/ui/Shelf.tsx'
import { Spine } from '#web/ui/Spine.tsx'

/** One sentence, the search, real numbers, and the newest lessons standing on the counter. */
export function Hero({ data }: { readonly data: HomeData }) {
  const { t, formatNumber } = useText()
  const submit = useSearchSubmit()
  const { numbers, newest } = data
  const bold = { b: <b /> }
  return (
    <>
      <div className="wrap hero">
        <div>
          <h1>{t('homeTitle')}</h1>
          <p>{t('homeLead', { points: LESSON_REWARD })}</p>
        </div>
        <Form
          className="search big"
          role="search"
          action={to.lessons()}
          aria-label={t('homeSearchAll')}
          onSubmit={submit}
        >
          <input
            type="search"
            name="search"
            maxLength={SEARCH_LENGTH}
            aria-label={t('homeSearchLabel')}
            placeholder={t('homeSearchHint')}
          />
          <button type="submit" className="btn">
            {t('searchLabel')}
          </button>
        </Form>
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
              lang={/\p{Script=Cyrillic}/u.test(lesson.title) ? 'bg' : undefined}
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
