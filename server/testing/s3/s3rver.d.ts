/** Declares the used part of the package, which has no types. */
declare module 's3rver' {
  type Context = import('koa').Context

  interface StoredObject {
    readonly bucket: string
    readonly key: string
    readonly content: Buffer | import('node:stream').Readable
    readonly metadata: unknown
  }

  interface Store {
    getResourcePath(bucket: string, key: string | undefined, resource: string): string
    putMetadata(bucket: string, key: string, metadata: unknown, md5: string): Promise<void>
    putObject(object: StoredObject): Promise<{ size: number; md5: string }>
    putPart(
      bucket: string,
      uploadId: string,
      partNumber: string,
      content: import('node:stream').Readable,
    ): Promise<{ size: number; md5: string }>
  }

  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      vhostBuckets: boolean
      serviceEndpoint: string
      configureBuckets: { name: string }[]
    })
    readonly middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[]
    readonly store: Store
    readonly httpServer: import('node:http').Server
    run(): Promise<import('node:net').AddressInfo>
    close(): Promise<void>
  }
  export type { Context }
}
