/** Loaded on the first press. */
import confetti from 'canvas-confetti'
import styles from './Particles.module.css'

const COUNT = 100
/** The ribbon, brand and paper colours of tokens.css. Saffron is only for points. */
const COLORS = ['#b3263f', '#e9566d', '#0e5f49', '#7fd0b0', '#e9ece3']

/** Resolves when the particles have fallen. */
export async function throwParticles(from: Element): Promise<void> {
  const { left, top, width, height } = from.getBoundingClientRect()
  const origin = {
    x: (left + width / 2) / window.innerWidth,
    y: (top + height / 2) / window.innerHeight,
  }
  const canvas = document.createElement('canvas')
  canvas.className = styles.particles ?? ''
  canvas.setAttribute('aria-hidden', 'true')
  document.body.append(canvas)
  // A worker would need a blob URL, which the page's policy forbids.
  const fire = confetti.create(canvas, { useWorker: false, resize: true })
  await fire({
    particleCount: COUNT,
    colors: COLORS,
    origin,
    spread: 80,
    startVelocity: 28,
    ticks: 90,
    scalar: 0.8,
    disableForReducedMotion: true,
  })
  canvas.remove()
}
