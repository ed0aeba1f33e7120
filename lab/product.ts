/** Starts the product for measurements and experiments. */
import { ensureBuilt } from '#scripts/build.mjs'
import { startProduct, type Product, type ProductOptions } from '#server/testing/product.ts'

/** Signs the sessions of all nodes, so that the lab can sign its own tokens. */
export const SECRET = 'laboratory-secret-laboratory-secret'

let built: Promise<unknown> | undefined

/** Builds once if the sources have changed. */
export async function buildProduct(): Promise<void> {
  built ??= ensureBuilt(process.execPath)
  await built
}

/** Starts a built node without limits, with sessions that outlast the work. `environment` overrides settings. */
export function startNode(
  environment: Readonly<Record<string, string>> = {},
  options: ProductOptions = {},
): Promise<Product> {
  const starting = buildProduct().then(() =>
    startProduct(
      {
        AUTH_SECRETS: SECRET,
        ACCESS_TOKEN_MINUTES: '600',
        DAILY_REWARD_LIMIT: '10000',
        LOG_LEVEL: 'fatal',
        ...environment,
      },
      { file: 'scripts/serve.mjs', ...options },
    ),
  )
  started.add(starting)
  return starting
}

/** All nodes so far, because interrupted work may not have received the last one yet. */
const started = new Set<Promise<Product>>()

function stopAll(): Promise<unknown> {
  return Promise.allSettled([...started].map(async (product) => (await product).stop()))
}

const signals = ['SIGINT', 'SIGTERM'] as const

/** Runs `work` with a list of clean-up functions, which run in reverse order however it ends. */
export async function cleaningUp<Value>(
  work: (later: (undo: () => Promise<unknown>) => void) => Promise<Value>,
): Promise<Value> {
  const undos: (() => Promise<unknown>)[] = []
  const undoAll = async () => {
    for (let undo = undos.pop(); undo !== undefined; undo = undos.pop())
      await undo().catch((error: unknown) =>
        process.stderr.write(`cleaning up: ${String(error)}\n`),
      )
  }
  const interrupted = () =>
    void stopAll()
      .then(undoAll)
      .finally(() => process.exit(130))
  for (const name of signals) process.once(name, interrupted)
  try {
    return await work((undo) => void undos.push(undo))
  } finally {
    for (const name of signals) process.removeListener(name, interrupted)
    await undoAll()
  }
}
