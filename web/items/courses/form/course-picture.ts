/** Draws the picture of a course whose author chose none: its lessons as books on a shelf. */
import { shelf } from '#contract/art.ts'
import { drawPicture } from '#web/ui/inputs/draw-picture.ts'

/** More books would become too thin to look like books. */
const MOST = 9
/** The seed of a course without lessons. */
const EMPTY = '1 2 3 4 5 6'

/** The seeds as one text, so that a draft can store them. */
export const shelfSeed = (lessons: readonly number[]): string =>
  lessons.length === 0 ? EMPTY : lessons.slice(0, MOST).join(' ')

export const shelfSeeds = (seed: string): string[] => seed.split(' ')

/** Draws the shelf as a file, with the code that the server uses too. */
export const drawShelf = (seed: string): Promise<File> =>
  drawPicture(shelf(shelfSeeds(seed)), 1280, 720, 'shelf.png')
