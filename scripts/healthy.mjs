// The HEALTHCHECK of the image: exits with 0 if the process responds, a node at /healthz, a worker at /metrics.
import process from 'node:process'

const { PORT = '3000', METRICS_PORT = '9464' } = process.env
const PATIENCE_MS = 4000

/** @param {string} address */
async function answers(address) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
    () => null,
  )
  return answer?.ok === true
}

const isHealthy =
  (await answers(`http://127.0.0.1:${PORT}/healthz`)) ||
  (await answers(`http://127.0.0.1:${METRICS_PORT}/metrics`))
process.exitCode = isHealthy ? 0 : 1
