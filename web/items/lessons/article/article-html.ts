/** The only place where a string becomes HTML of a page. The server cleaned it twice. */
import { type Policy, trustedTypes } from '#web/items/lessons/article/trusted-types.ts'

let made: Policy | undefined

/** Lets every string pass, so use it only for cleaned or inert HTML. Undefined without Trusted Types. */
export function articlePolicy(): Policy | undefined {
  made ??= trustedTypes()?.createPolicy('article', {
    createHTML: (html) => html,
    // DOMPurify requires this method; no script URL ever passes.
    createScriptURL: () => '',
  })
  return made
}

/** Returns the value for `dangerouslySetInnerHTML`. Use it only for an article that the server sent. */
export function articleHtml(cleaned: string): { __html: string | TrustedHTML } {
  return { __html: articlePolicy()?.createHTML(cleaned) ?? cleaned }
}
