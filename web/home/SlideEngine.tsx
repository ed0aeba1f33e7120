import useEmblaCarousel from 'embla-carousel-react'
import { useEffect } from 'react'

export interface Slider {
  readonly scrollTo: (slide: number) => void
}

interface SlideEngineProps {
  readonly viewport: HTMLElement
  readonly perSlide: number
  readonly onReady: (slider: Slider) => void
  readonly onSlide: (slide: number) => void
}

/** Draws nothing: makes the row that is already there slide. A component, because it comes lazily. */
export function SlideEngine({ viewport, perSlide, onReady, onSlide }: SlideEngineProps) {
  const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  const [attach, slider] = useEmblaCarousel({
    align: 'start',
    slidesToScroll: perSlide,
    duration: calm ? 0 : 25,
    breakpoints: { '(max-width: 67.99rem)': { active: false } },
  })
  useEffect(() => attach(viewport), [attach, viewport])
  useEffect(() => {
    if (slider === undefined) return
    onReady({ scrollTo: (slide) => slider.scrollTo(slide) })
    const report = () => onSlide(slider.selectedScrollSnap())
    slider.on('select', report)
    return () => {
      slider.off('select', report)
    }
  }, [slider, viewport, onReady, onSlide])
  return null
}
