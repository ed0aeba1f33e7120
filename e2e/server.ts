/** Starts the product at an address that a browser would show. */
import { type ProductOptions, startProduct } from '#server/testing/product.ts'

export interface Server {
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  /** Its output up to the address and sign-ins. */
  readonly said: readonly string[]
  stop(): Promise<void>
}

/** Starts a server and resolves when it has printed its last line. */
export async function startServer(
  environment: Record<string, string> = {},
  options: ProductOptions = {},
): Promise<Server> {
  const product = await startProduct(environment, {
    file: 'scripts/serve.mjs',
    ...options,
    onComplaint: (line) => process.stderr.write(`${line}\n`),
  })
  return {
    // By name, because cookies and PUBLIC_URL are those of localhost.
    url: `http://localhost:${product.port}`,
    pid: product.pid,
    dataDir: product.dataDir,
    said: product.said,
    stop: async () => {
      await product.stop()
    },
  }
}
