/**
 * Trusted Types forbid plain strings where HTML is expected, but the editor's library writes such strings on
 * paste. This chunk alone lets them pass, through DOMPurify.
 */
import DOMPurify from 'dompurify'
import { articlePolicy } from '#web/items/lessons/article/article-html.ts'
import { trustedTypes } from '#web/items/lessons/article/trusted-types.ts'

/** Runs once per page, and not in browsers without Trusted Types. */
export function installEditorPolicy() {
  const factory = trustedTypes()
  if (factory === undefined || factory.defaultPolicy) return
  // DOMPurify would create a policy of its own, which the pages' security policy forbids.
  DOMPurify.setConfig({ RETURN_TRUSTED_TYPE: false, TRUSTED_TYPES_POLICY: articlePolicy() ?? null })
  factory.createPolicy('default', { createHTML: (html) => DOMPurify.sanitize(html) })
}
