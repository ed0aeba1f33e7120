import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import type { Slider } from '#web/home/SlideEngine.tsx'
import { Head } from '#web/ui/Head.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'

const SlideEngine = lazy(() =>
  import('#web/home/SlideEngine.tsx').then((file) => ({ default: file.SlideEngine })),
)
const PER_SLIDE = 4
/** Where the row is one line that slides; below it is a list. */
const WIDE = '(min-width: 68rem)'

interface CarouselProps {
  readonly title: string
  /** The whole list, and how many items it has. */
  readonly all: string
  readonly total: number
  /** Up to 8 cards. */
  readonly children: readonly ReactNode[]
}

/** Four cards a slide with arrows, dots, swipe and keyboard; a plain list on small screens. */
export function Carousel({ title, all, total, children }: CarouselProps) {
  const { t, formatNumber } = useText()
  const heading = useId()
  const viewport = useRef<HTMLDivElement>(null)
  const slider = useRef<Slider>(null)
  const [row, setRow] = useState<HTMLDivElement | null>(null)
  const [slide, setSlide] = useState(0)
  const [ready, setReady] = useState(false)
  const slides = Math.ceil(children.length / PER_SLIDE)
  const takeSlider = useCallback((made: Slider) => {
    slider.current = made
    setReady(true)
  }, [])
  useEffect(() => {
    if (slides > 1 && window.matchMedia(WIDE).matches) setRow(viewport.current)
  }, [slides])
  const show = (wanted: number) => {
    if (wanted >= 0 && wanted < slides) slider.current?.scrollTo(wanted)
  }
  return (
    <section className="wrap" aria-labelledby={heading} aria-roledescription={t('homeCarousel')}>
      <Head
        title={title}
        id={heading}
        end={slides > 1 && <Arrows slide={slide} slides={slides} onShow={show} />}
      >
        <Link to={all}>{t('homeAll', { shown: formatNumber(total) })}</Link>
      </Head>
      <div
        className="slides"
        data-ready={ready ? '' : undefined}
        ref={viewport}
        onKeyDown={(event) => {
          if (event.key === 'ArrowLeft') show(slide - 1)
          if (event.key === 'ArrowRight') show(slide + 1)
        }}
      >
        <div className="grid cols-4 slides-row">{children}</div>
      </div>
      {row !== null && (
        <Suspense>
          <SlideEngine
            viewport={row}
            perSlide={PER_SLIDE}
            onReady={takeSlider}
            onSlide={setSlide}
          />
        </Suspense>
      )}
      {slides > 1 && <Dots slide={slide} slides={slides} onShow={show} />}
    </section>
  )
}

interface StepsProps {
  /** The one that is shown, from 0. */
  readonly slide: number
  readonly slides: number
  readonly onShow: (slide: number) => void
}

/** Which slide is shown, and the steps to its neighbours. */
function Arrows({ slide, slides, onShow }: StepsProps) {
  const { t } = useText()
  return (
    <span className="slide-ends wide">
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

/** One dot for each slide, to go to it at once. */
function Dots({ slide, slides, onShow }: StepsProps) {
  const { t } = useText()
  return (
    <div className="slide-dots wide">
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
