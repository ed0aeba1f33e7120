/** Formats self-checks for the page of the archive: an author's questions, and a person's answers. */
import * as z from 'zod/mini'
import { html, type Html } from '#server/platform/mail/html.ts'

const Asked = z.array(
  z.object({
    text: z.string(),
    answers: z.array(z.object({ text: z.string(), right: z.boolean() })),
    explanation: z.string(),
  }),
)
/** For each question, the indices of the chosen answers. */
const Chosen = z.array(z.array(z.number()))

interface Words {
  readonly right: string
  /** Label of an answer by its number, starting at 1. */
  readonly answer: (place: number) => string
}

/** Returns the list for a field with self-check data, or null for any other field. */
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

/** The list numbers are those of the questions. */
function writeChosen(questions: z.output<typeof Chosen>, { answer }: Words): Html {
  return html`<ol>
    ${questions.map(
      (places) => html`<li>${places.map((place) => answer(place + 1)).join(', ') || '–'}</li>`,
    )}
  </ol>`
}
