import type { UploadedResource } from '#contract/files.ts'
import type { Registered } from '#e2e/people.ts'

/** Uploads a file of that name and returns its address. */
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
