/** Parses S3_URL, which holds endpoint, bucket, region and keys in one address. */
import { isIP } from 'node:net'

export interface S3Address {
  /** Scheme, host and port. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  /** `path`: the bucket is the first part of the path; `virtual`: of the host name. */
  readonly style: 'path' | 'virtual'
  readonly accessKey: string
  readonly secretKey: string
  /** The server's address for browsers, if it differs from the endpoint. */
  readonly publicEndpoint: string
  /** `redirect`: browsers download resources from there directly; `through`: from us. */
  readonly downloads: 'redirect' | 'through'
}

const EXAMPLE = 'as in https://KEY:SECRET@s3.example.com/bucket?region=eu-central-1'
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/
/** Valid as the first label of a host name, also under a wildcard certificate. */
const HOST_PART = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/
const REGION = /^[a-z0-9-]{1,40}$/
const ORIGIN = /^https?:\/\/[^/\s?#@]+$/
const PARAMETERS = ['region', 'style', 'public', 'downloads']

/** Returns an error message for a bad address; the message never contains the address. */
export function parseS3Address(text: string): S3Address | string {
  if (!/^https?:\/\//.test(text)) return `must begin with https:// or http://, ${EXAMPLE}`
  if (!URL.canParse(text))
    return `is no address; percent-encode the special signs of the keys, ${EXAMPLE}`
  const url = new URL(text)
  const bucket = url.pathname.replaceAll(/^\/|\/$/g, '')
  if (bucket === '') return `must name the bucket behind the host, ${EXAMPLE}`
  if (!BUCKET.test(bucket)) return `must have a bucket's name alone as its path, ${EXAMPLE}`
  if (url.username === '' || url.password === '')
    return `must hold the access key and its secret before the host, ${EXAMPLE}`
  const given = url.searchParams
  const unknown = [...given.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined) return `knows no "${unknown}", only ${PARAMETERS.join(', ')}`
  const region = given.get('region') ?? 'us-east-1'
  if (!REGION.test(region)) return 'has a region that is none, such as region=eu-central-1'
  const style = given.get('style') ?? 'path'
  if (style !== 'path' && style !== 'virtual') return 'has a style that is not path or virtual'
  if (
    style === 'virtual' &&
    (isIP(url.hostname.replaceAll(/[[\]]/g, '')) || !HOST_PART.test(bucket))
  )
    return 'has style=virtual, which needs a host with a name (no address) and a bucket of small letters, digits and hyphens alone; take style=path'
  const downloads = given.get('downloads') ?? 'redirect'
  if (downloads !== 'redirect' && downloads !== 'through')
    return 'has downloads that are not redirect or through'
  const publicEndpoint = given.get('public') ?? url.origin
  if (!ORIGIN.test(publicEndpoint))
    return 'has a public that is no origin such as https://files.example.com'
  const [accessKey, secretKey] = [decoded(url.username), decoded(url.password)]
  if (accessKey === null || secretKey === null)
    return `must have its keys percent-encoded, ${EXAMPLE}`
  return {
    endpoint: url.origin,
    bucket,
    region,
    style,
    accessKey,
    secretKey,
    publicEndpoint,
    downloads,
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
