/** The one place where a string of the server's becomes HTML of a page: it was cleaned there, twice. */
import { type Policy, trustedTypes } from '#web/lessons/trusted-types.ts'

let policy: Policy | undefined

function makePolicy(): Policy {
  const identity = { createHTML: (html: string) => html }
  return trustedTypes()?.createPolicy('article', identity) ?? identity
}

/** For `dangerouslySetInnerHTML`. Only for an article as the server answered it. */
export function articleHtml(cleaned: string): { __html: string } {
  policy ??= makePolicy()
  return { __html: policy.createHTML(cleaned) }
}
