import type { Person, TestApp } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'

/** Null fields are left out. */
export function formOf(fields: Readonly<Record<string, string | File | null>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== null) form.set(name, value)
  return form
}

/** Uploads a file for a lesson and returns its address. */
export async function uploadFile(
  app: TestApp,
  as: Person,
  name: string,
  content: string | Uint8Array = 'the file',
): Promise<string> {
  const form = formOf({
    file: new File([typeof content === 'string' ? content : new Uint8Array(content)], name),
  })
  return (await done<{ url: string }>(app, as, 'POST /upload/resource', form)).url
}
