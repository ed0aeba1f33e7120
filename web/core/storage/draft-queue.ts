/** Sends drafts and ends of drafts that were left in this browser, when a page is opened and when the network is back. */
import { currentPerson } from '#web/core/session.ts'

/** Loads the code for it only if there is something to send. */
async function send(): Promise<void> {
  const id = currentPerson()?._id
  const start = `kb:${id}:draft:`
  const starts = [`${start}lesson:`, `${start}course:`, `kb:${id}:ended:`]
  const isDraft = (key: string) => starts.some((one) => key.startsWith(one))
  if (id === undefined || !Object.keys(localStorage).some(isDraft)) return
  const { sendWaiting } = await import('#web/core/storage/draft-sending.ts')
  await sendWaiting(id)
}

let isListening = false

export function sendDrafts(): void {
  const start = () => void send().catch(() => {})
  start()
  if (isListening) return
  isListening = true
  window.addEventListener('online', start)
}
