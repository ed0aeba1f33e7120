import { expect, onTestFinished, test } from 'vitest'
import { audit } from '#server/operate/audit/audit.ts'
import { fillDemo } from '#server/demo/fill.ts'
import { createTestApp } from '#server/testing/app.ts'

test('the audit finds nothing in the demo content', { timeout: 120_000 }, async () => {
  const demo = await createTestApp()
  onTestFinished(() => demo.close())
  await fillDemo({ ...demo.app.core, passwordOf: () => 'secret of the demo', say: () => {} })
  await demo.runJobs()
  const report = await audit(
    { db: demo.app.database.db, storage: demo.app.core.storage },
    { isLive: false },
  )
  expect(report).toMatchObject({ findings: [], unproved: [] })
})
