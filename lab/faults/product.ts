/** The product as the experiments start it. */
import { startProduct, type Product, type ProductOptions } from '#server/testing/product.ts'

/** Signs the sessions of all nodes of an experiment. */
const SECRET = 'faults-secret-faults-secret-faults-secret'

/** Starts it with sessions that outlast the experiment; `environment` decides. It complains into `complained` alone. */
export function startForFaults(
  environment: Readonly<Record<string, string>> = {},
  options: ProductOptions = {},
): Promise<Product> {
  const starting = startProduct(
    {
      AUTH_SECRETS: SECRET,
      ACCESS_TOKEN_MINUTES: '600',
      DAILY_REWARD_LIMIT: '10000',
      LOG_LEVEL: 'fatal',
      ...environment,
    },
    options,
  )
  started.add(starting)
  return starting
}

/** All that was started, as an experiment that is interrupted may not have heard of the last one yet. */
const started = new Set<Promise<Product>>()

function stopAll(): Promise<unknown> {
  return Promise.allSettled([...started].map(async (product) => (await product).stop()))
}

const signals = ['SIGINT', 'SIGTERM'] as const

/** Runs `work` with a list of things to undo, which happens in reverse order however it ends. */
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
  // An interrupted run leaves no process behind.
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
