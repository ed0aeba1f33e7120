/** Self-checks in the walk through the product: asked, changed, taken, counted. */
import type { Stage } from './plan-stage.ts'

/** Whose lesson it is, and who has unlocked it. */
interface Cast {
  readonly author: number
  readonly buyer: number
  readonly lesson: number
}

/** The life of a lesson's questions. */
export async function askAndTake({ tell }: Stage, { author, buyer, lesson }: Cast): Promise<void> {
  const ask = async (text: string, explanation: string) => {
    const answers = [
      { text: 'This', right: true },
      { text: 'That', right: false },
    ]
    const form = new FormData()
    form.set('checks', JSON.stringify([{ text, answers, explanation }]))
    await tell(author, `PATCH /api/lesson/${lesson}`, form)
  }
  await ask('Which of the two?', 'It stands there.')
  await ask('Which is it?', 'It stands there.')
  await ask('Which is it?', 'It stands in the article.')
  await tell(buyer, `GET /api/check/${lesson}`)
  await tell(buyer, `POST /api/check/${lesson}`, { answers: [[1]], revision: 2 })
  await tell(buyer, `POST /api/check/${lesson}`, { answers: [[0]], revision: 1 }, 409)
  await tell(author, `GET /api/check/${lesson}/figures`)
}
