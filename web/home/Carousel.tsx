import { type KeyboardEvent, type ReactNode, type UIEvent, useId, useRef, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { Head } from '#web/ui/Head.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/layout/header/Header.module.css'
import homeStyles from './Home.module.css'
import bookStyles from '#web/ui/books/Book.module.css'

/** Cards side by side on a wide screen, as in Home.module.css. */
const PER_SLIDE = 4

interface CarouselProps {
  readonly title: string
  /** The path of the whole list, and the link's text. Default: the number of items. */
  readonly all: string
  readonly total?: number | undefined
  readonly allText?: string | undefined
  /** Up to 8 cards. */
  readonly children: readonly ReactNode[]
}

/** A plain list on small screens. The browser scrolls and snaps; the slide derives from the scroll position. */
export function Carousel({ title, all, total = 0, allText, children }: CarouselProps) {
  const { t, formatNumber } = useText()
  const heading = useId()
  const viewport = useRef<HTMLDivElement>(null)
  const row = useRef<HTMLDivElement>(null)
  const [slide, setSlide] = useState(0)
  const slides = Math.ceil(children.length / PER_SLIDE)
  function show(wanted: number): void {
    const [first, card] = [0, wanted * PER_SLIDE].map((place) => row.current?.children[place])
    if (first === undefined || card === undefined) return
    const left = card.getBoundingClientRect().left - first.getBoundingClientRect().left
    viewport.current?.scrollTo({ left })
  }
  function onScroll({ currentTarget: { scrollLeft, scrollWidth, clientWidth } }: UIEvent): void {
    // Avoids a division by zero on small screens, where nothing scrolls.
    const way = Math.max(scrollWidth - clientWidth, 1)
    setSlide(Math.round((scrollLeft / way) * (slides - 1)))
  }
  function onKeyDown(event: KeyboardEvent): void {
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (by === 0 || slides < 2) return
    // The browser would also scroll a little.
    event.preventDefault()
    show(slide + by)
  }
  return (
    <section className="wrap" aria-labelledby={heading} aria-roledescription={t('homeCarousel')}>
      <Head
        title={title}
        id={heading}
        end={slides > 1 && <Arrows slide={slide} slides={slides} onShow={show} />}
      >
        <Link to={all}>{allText ?? t('homeAll', { shown: formatNumber(total) })}</Link>
      </Head>
      <div className={homeStyles.slides} ref={viewport} onScroll={onScroll} onKeyDown={onKeyDown}>
        <div
          className={classes(bookStyles.grid, bookStyles['cols-4'], homeStyles.slidesRow)}
          ref={row}
        >
          {children}
        </div>
      </div>
      {slides > 1 && <Dots slide={slide} slides={slides} onShow={show} />}
    </section>
  )
}

interface StepsProps {
  /** Starts at 0. */
  readonly slide: number
  readonly slides: number
  readonly onShow: (slide: number) => void
}

function Arrows({ slide, slides, onShow }: StepsProps) {
  const { t } = useText()
  return (
    <span className={classes(homeStyles.slideEnds, styles.wide)}>
      <span className="small quiet num" aria-live="polite">
        {t('homeSlide', { slide: slide + 1, slides })}
      </span>
      <IconButton
        edge
        icon="left"
        label={t('homePrevious')}
        disabled={slide === 0}
        onClick={() => onShow(slide - 1)}
      />
      <IconButton
        edge
        icon="right"
        label={t('homeNext')}
        disabled={slide === slides - 1}
        onClick={() => onShow(slide + 1)}
      />
    </span>
  )
}

function Dots({ slide, slides, onShow }: StepsProps) {
  const { t } = useText()
  return (
    <div className={classes(homeStyles.slideDots, styles.wide)}>
      {Array.from({ length: slides }, (_, place) => (
        <button
          key={place}
          type="button"
          aria-label={t('homeSlideGo', { slide: place + 1, slides })}
          aria-current={place === slide ? 'true' : undefined}
          onClick={() => onShow(place)}
        />
      ))}
    </div>
  )
}
