/** The one place where a string of the server's becomes HTML of a page: it was cleaned there, twice. */
import { type Policy, trustedTypes } from '#web/lessons/article/trusted-types.ts'

let made: Policy | undefined

/** Lets every string through: only for what was cleaned, or for documents in which nothing runs. Undefined where there is no gate. */
export function articlePolicy(): Policy | undefined {
  made ??= trustedTypes()?.createPolicy('article', {
    createHTML: (html) => html,
    // The cleaner asks for it; no script ever comes this way.
    createScriptURL: () => '',
  })
  return made
}

/** For `dangerouslySetInnerHTML`. Only for an article as the server answered it. */
export function articleHtml(cleaned: string): { __html: string | TrustedHTML } {
  return { __html: articlePolicy()?.createHTML(cleaned) ?? cleaned }
}
