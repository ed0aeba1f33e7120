import { afterEach, expect, test } from 'vitest'
import type { Person } from '#server/testing/app.ts'
import { openTestApp } from '#server/testing/setup.ts'
import { openHub } from '#web/community/chat/link/hub.ts'

const app = await openTestApp()
const ann = await app.signUp('ann')
afterEach(() => {
  app.clock.time = null
})

test.each(['WebSockets', 'ServerSentEvents', 'LongPolling'] as const)(
  'over %s a connection outlives its token',
  async (transport) => {
    let token = Promise.resolve(ann.session.accessToken)
    const hub = await openHub({
      url: `${app.url}/chatHub`,
      token: () => token,
      transport,
      listen: {},
    })
    if (hub === 'refused') throw new Error('refused')
    let hasEnded = false
    void hub.ended.then(() => {
      hasEnded = true
    })
    // A poll in flight carries the token of its time.
    await new Promise((resolve) => setTimeout(resolve, 300))
    app.clock.time = new Date(Date.now() + 3_600_000)
    const json = { username: 'ann', password: ann.password }
    const login = app.call<Person['session']>('POST', '/identity/login', { json })
    token = login.then(({ body }) => body.accessToken)
    for (let time = 0; time < 3; time++) await hub.invoke('Subscribe', 'ann')
    expect(hasEnded).toBe(false)
    hub.close()
    await hub.ended
  },
)
