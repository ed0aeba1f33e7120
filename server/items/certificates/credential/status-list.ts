/** Lists ended credentials as a credential according to Bitstring Status List 1.0. */
import { gzipSync } from 'node:zlib'
import { statusListPath } from '#contract/certificates.ts'
import { LISTED_TOGETHER } from '#server/items/certificates/credential/credential.ts'
import { didOf } from '#server/items/certificates/credential/did.ts'

/** How long a verifier may cache the list, in ms. */
export const TTL_MS = 300_000

/**
 * One bit per certificate, most significant first. Compressed and encoded as base64url with the multibase prefix.
 */
function encodeList(ended: readonly number[]): string {
  const bits = Buffer.alloc(LISTED_TOGETHER / 8)
  for (const id of ended) {
    const index = id % LISTED_TOGETHER
    const byte = index >> 3
    bits[byte] = (bits[byte] ?? 0) | (0x80 >> (index & 7))
  }
  return `u${gzipSync(bits).toString('base64url')}`
}

/** Returns the unsigned credential of a list. */
export function toStatusList(
  list: number,
  ended: readonly number[],
  { publicUrl, now }: { readonly publicUrl: string; readonly now: Date },
) {
  const address = `${publicUrl}${statusListPath(list)}`
  return {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    id: address,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: { id: didOf(publicUrl) },
    validFrom: `${now.toISOString().slice(0, 19)}Z`,
    credentialSubject: {
      id: `${address}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList: encodeList(ended),
      ttl: TTL_MS,
    },
  }
}
