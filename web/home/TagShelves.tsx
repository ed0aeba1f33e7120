import type { TagShelf } from '#contract/home.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { TagLink } from '#web/items/shared/TagLink.tsx'
import { Shelf } from '#web/ui/books/Shelf.tsx'
import { Spine } from '#web/ui/books/Spine.tsx'
import { Head } from '#web/ui/Head.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Home.module.css'
import tagStyles from '#web/items/shared/Tag.module.css'

export function TagShelves({ shelves }: { readonly shelves: readonly TagShelf[] }) {
  const { t } = useText()
  return (
    <section className={classes('wrap', styles.subjects)} aria-labelledby="subjects">
      <Head title={t('homeTags')} id="subjects" />
      <div className={styles.subjectShelves}>
        {shelves.map(({ tag, lessons }) => (
          <div key={tag}>
            <h3>
              <TagLink tag={tag} className={classes(tagStyles.tag, styles.tag)} />
            </h3>
            <Shelf className={styles.shelf} label={tag}>
              {lessons.map((lesson, place) => (
                <Spine
                  key={lesson.id}
                  as={Link}
                  to={to.lesson(lesson.id)}
                  seed={lesson.id}
                  title={lesson.title}
                  lang={textLanguage(lesson.title)}
                  plain={place % 3 === 1}
                />
              ))}
            </Shelf>
          </div>
        ))}
      </div>
    </section>
  )
}
