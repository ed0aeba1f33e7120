/** Ratings in the walk through the product: given, changed, answered, deleted at the desk and brought back. */
import { numberIn, type Stage } from './plan-stage.ts'

const [AUTHOR, ADMINISTRATOR] = [3, 11]
const RATERS = [5, 6]

/** What of the author's the raters have unlocked. */
interface Rated {
  readonly lesson: number
  readonly course: number
  /** A lesson of the course. */
  readonly part: number
}

/** The life of ratings of a lesson and a course. */
export async function rate({ tell, database }: Stage, rated: Rated): Promise<void> {
  const ids: number[] = []
  for (const rater of RATERS) await tell(rater, `PUT /api/progress/${rated.part}`, { opened: true })
  for (const item of [`lesson/${rated.lesson}`, `course/${rated.course}`])
    for (const rater of RATERS) {
      const call = `/api/rating/${item}`
      await tell(rater, `PUT ${call}`, { stars: 2 })
      await tell(rater, `DELETE ${call}`)
      const text = 'It says what I wanted to know, and no more.'
      const id = numberIn(await tell(rater, `PUT ${call}`, { stars: 5, text }), 'id')
      await tell(rater, `PUT ${call}`, { stars: 4, text })
      // A lost answer.
      await tell(rater, `PUT ${call}`, { stars: 4, text })
      await tell(AUTHOR, `PUT /api/rating/${id}/answer`, { text: 'I am glad to hear it.' })
      await tell(AUTHOR, `DELETE /api/rating/${id}/answer`)
      await tell(null, `GET ${call}`)
      await tell(rater, `GET ${call}`)
      ids.push(id)
    }
  await tell(ADMINISTRATOR, 'GET /api/rating/browse')
  await tell(ADMINISTRATOR, 'POST /api/rating/delete', { ids })
  await tell(ADMINISTRATOR, 'GET /api/rating/browse?deleted=1')
  await tell(ADMINISTRATOR, 'POST /api/rating/restore', { ids })
  // As when the mean of the site has moved: what is rated is to be ranked again.
  await database.client.query('update rating_means set ranked = false, ranked_to = 0')
}
