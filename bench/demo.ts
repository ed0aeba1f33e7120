/** The product with its demo content, for what a browser sees of it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct } from './product.ts'

const BROWSER = join(import.meta.dirname, '..', 'scripts', 'browser.mjs')

export interface Demo {
  readonly origin: string
  /** Path of a lesson that a guest may open. */
  readonly lesson: string
}

export async function withDemo<T>(work: (demo: Demo) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kb-bench-demo-'))
  const product = await startProduct(dataDir, { DEMO: '1' })
  try {
    const origin = `http://localhost:${product.port}`
    const answer = await fetch(`${origin}/api/lesson/popular`)
    const popular: { id: number }[] = JSON.parse(await answer.text())
    return await work({ origin, lesson: `/lesson/details/${popular[0]?.id ?? 1}` })
  } finally {
    await product.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The browser that the tests use too. */
export async function browserPath(): Promise<string> {
  const found: { findBrowser(): Promise<string> } = await import(BROWSER)
  return found.findBrowser()
}
