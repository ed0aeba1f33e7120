import type { ItemKind } from '#contract/points.ts'
import type { Person, TestApp } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'

export async function publishLessons(
  app: TestApp,
  owner: Person,
  count: number,
): Promise<number[]> {
  const ids: number[] = []
  while (ids.length < count) ids.push((await app.publishLesson(owner)).id)
  return ids
}

/** Unlocks an item with the person's own points. */
export const buy = (app: TestApp, as: Person, kind: ItemKind, id: number) =>
  done<{ kbPoints: number }>(app, as, `POST /${kind}/buy/${id}`)

/** Changes the given fields of an item. */
export function edit<Body>(
  app: TestApp,
  as: Person,
  [kind, id]: readonly [ItemKind, number],
  fields: Readonly<Record<string, string | number | readonly number[]>>,
): Promise<Body> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    for (const each of [value].flat()) form.append(name, `${each}`)
  return done<Body>(app, as, `PATCH /${kind}/${id}`, form)
}
