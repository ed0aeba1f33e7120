import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { textLanguage } from '#web/core/text-language.ts'
import type { HomeData } from '#web/home/HomePage.data.ts'
import { Shelf } from '#web/ui/books/Shelf.tsx'
import { Spine } from '#web/ui/books/Spine.tsx'
import { Welcome } from '#web/home/Welcome.tsx'
import { StallStrip } from '#web/home/stall/StallStrip.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/layout/header/Header.module.css'
import homeStyles from './Home.module.css'

/** New users do not see the newest lessons here, because free ones follow right below their first steps. */
export function Hero({ data }: { readonly data: HomeData }) {
  const { t } = useText()
  const { numbers, newest } = data
  return (
    <div className={classes(homeStyles.home, styles.stall)}>
      {data.stall === null ? (
        <Welcome numbers={numbers} hasFree={(data.free?.lessons.length ?? 0) > 0} />
      ) : (
        <StallStrip stall={data.stall} />
      )}
      {newest.length > 0 && (data.stall?.steps ?? null) === null && (
        <Shelf
          className={classes(homeStyles.shelf, data.stall !== null && homeStyles.level)}
          label={t('homeShelf')}
        >
          {newest.map((lesson, place) => (
            <Spine
              key={lesson.id}
              as={Link}
              to={to.lesson(lesson.id)}
              seed={lesson.id}
              title={lesson.title}
              lang={textLanguage(lesson.title)}
              rise={data.stall === null ? riseAt(place, newest.length) : 0}
              plain={place % 3 === 1}
            />
          ))}
        </Shelf>
      )}
      <div className={homeStyles.counter} />
    </div>
  )
}

/** Beside the welcome text the row of books is level and rises in its last third. Elsewhere it is level throughout. */
function riseAt(place: number, count: number): number {
  return Math.max(0, (place / count - 0.58) / 0.42)
}
