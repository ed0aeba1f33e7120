/** The picture that a course gets without one of its author's: its lessons on a shelf. */
import { shelf } from '#contract/art.ts'
import { drawPicture } from '#web/ui/inputs/draw-picture.ts'

/** Books on a shelf that still look like books. */
const MOST = 9
/** On the shelf of a course that has no lessons yet. */
const EMPTY = '1 2 3 4 5 6'

/** What the shelf of these lessons is drawn from, as one text, so that a draft can store it. */
export const shelfSeed = (lessons: readonly number[]): string =>
  lessons.length === 0 ? EMPTY : lessons.slice(0, MOST).join(' ')

/** The spines that a seed stands for. */
export const shelfSeeds = (seed: string): string[] => seed.split(' ')

/** The shelf as a file: drawn by the same hand as the server's. */
export const drawShelf = (seed: string): Promise<File> =>
  drawPicture(shelf(shelfSeeds(seed)), 1280, 720, 'shelf.png')
