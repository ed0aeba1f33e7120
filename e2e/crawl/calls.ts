/** Calls past the pages, by which the market is filled. */
import type { UploadedResource } from '#contract/files.schemas.ts'
import type { Registered } from '#e2e/people.ts'

export async function call(
  url: string,
  person: Registered,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${person.accessToken}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return text === '' ? null : JSON.parse(text)
}

/** Uploads a file of that name; answers its address. */
export async function upload(url: string, person: Registered, name: string): Promise<string> {
  const form = new FormData()
  form.set('file', new File(['what is in it'], name))
  const headers = { authorization: `Bearer ${person.accessToken}` }
  const response = await fetch(`${url}/api/upload/resource`, {
    method: 'POST',
    body: form,
    headers,
  })
  if (!response.ok) throw new Error(`uploading answered ${response.status}`)
  return ((await response.json()) as UploadedResource).url
}
