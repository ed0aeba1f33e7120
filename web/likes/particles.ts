/** What flies from a heart that is given. Fetched by the first press. */
import confetti from 'canvas-confetti'
import styles from './Particles.module.css'

const COUNT = 100
/** Ribbon, brand and paper, as the tokens have them; saffron is for points alone. */
const COLORS = ['#b3263f', '#e9566d', '#0e5f49', '#7fd0b0', '#e9ece3']

/** Throws 100 particles from the middle of an element; resolves when they have fallen. */
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
  // Its worker would be made of a blob, which the pages' policy refuses.
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
