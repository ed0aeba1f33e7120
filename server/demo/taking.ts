import type { Question } from '#contract/questions.ts'
import { showCheck, takeCheck } from '#server/items/checks/checks.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { checks } from '#server/demo/content/checks.ts'
import type { DemoAttempts } from '#server/demo/content/types.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'

/** Returns the questions of the lesson with that title, or undefined. */
export function askedAbout(title: string): Question[] | undefined {
  return checks.find(({ lesson }) => lesson === title)?.questions
}

/** Takes a self-check. Skips people who did so before the start was interrupted. */
export async function takeAsTold(
  needs: { readonly db: Db; readonly clock: Clock },
  viewer: Viewer,
  lessonId: number,
  { answers }: Pick<DemoAttempts, 'answers'>,
): Promise<void> {
  if ((await showCheck(needs, viewer, lessonId)).last !== null) return
  for (const chosen of answers) await takeCheck(needs, viewer, { lessonId, answers: chosen })
}
