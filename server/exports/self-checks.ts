/** Self-checks in the page of the archive: what an author asks, and what somebody answered, as lists. */
import * as z from 'zod/mini'
import { html, type Html } from '#server/mail/html.ts'

const Asked = z.array(
  z.object({
    text: z.string(),
    answers: z.array(z.object({ text: z.string(), right: z.boolean() })),
    explanation: z.string(),
  }),
)
/** Of each question the places of the answers that were chosen. */
const Chosen = z.array(z.array(z.number()))

interface Words {
  readonly right: string
  /** Of an answer by its place, from 1 on. */
  readonly answer: (place: number) => string
}

/** The list for a field that holds such; null for any other. */
export function writeSelfCheck(field: string, value: unknown, words: Words): Html | null {
  if (field === 'questions') {
    const { data } = Asked.safeParse(value)
    return data === undefined ? null : writeAsked(data, words)
  }
  if (field !== 'bestAnswers' && field !== 'lastAnswers') return null
  const { data } = Chosen.safeParse(value)
  return data === undefined ? null : writeChosen(data, words)
}

function writeAsked(questions: z.output<typeof Asked>, { right }: Words): Html {
  return html`<ol>
    ${questions.map(
      ({ text, answers, explanation }) =>
        html`<li>
          ${text}
          <ul>
            ${answers.map((answer) =>
              answer.right
                ? html`<li>${answer.text} <b>(${right})</b></li>`
                : html`<li>${answer.text}</li>`,
            )}
          </ul>
          <p class="text">${explanation}</p>
        </li>`,
    )}
  </ol>`
}

/** A number in front of each line is that of its question. */
function writeChosen(questions: z.output<typeof Chosen>, { answer }: Words): Html {
  return html`<ol>
    ${questions.map(
      (places) => html`<li>${places.map((place) => answer(place + 1)).join(', ') || '–'}</li>`,
    )}
  </ol>`
}
