/** Identifies this site as the issuer by the did:web of its origin. */
import type { JWK } from 'jose'

/** `https://site.example:8443` becomes `did:web:site.example%3A8443`. */
export const didOf = (publicUrl: string): string =>
  `did:web:${encodeURIComponent(new URL(publicUrl).host)}`

/** The document at `/.well-known/did.json` with all keys that verify our credentials. */
export function didDocument(
  publicUrl: string,
  keys: readonly { readonly kid: string; readonly jwk: JWK }[],
) {
  const did = didOf(publicUrl)
  const verificationMethod = keys.map(({ kid, jwk }) => ({
    id: `${did}#${kid}`,
    type: 'JsonWebKey2020',
    controller: did,
    publicKeyJwk: jwk,
  }))
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id: did,
    verificationMethod,
    assertionMethod: verificationMethod.map(({ id }) => id),
  }
}
