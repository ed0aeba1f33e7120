/**
 * The process that decodes and encodes. It answers each message with one, and is started and ended by decoding.ts.
 */
import {
  encodeAvif,
  encodePicture,
  encodePreview,
  encodeVideoCover,
  type Encoded,
  type EncodedForm,
} from '#server/platform/files/picture-encoding.ts'

/** The result of each kind of task. */
export interface Works {
  picture: Encoded
  avif: readonly EncodedForm[]
  preview: Uint8Array
  videoCover: Uint8Array
}

const works: { readonly [Work in keyof Works]: (bytes: Uint8Array) => Promise<Works[Work]> } = {
  picture: encodePicture,
  avif: encodeAvif,
  preview: encodePreview,
  videoCover: encodeVideoCover,
}

export interface Task {
  readonly work: keyof Works
  readonly bytes: Uint8Array
}

export type Outcome = { readonly result: unknown } | { readonly failure: string }

function isTask(message: unknown): message is Task {
  return (
    typeof message === 'object' &&
    message !== null &&
    'work' in message &&
    typeof message.work === 'string' &&
    message.work in works &&
    'bytes' in message &&
    message.bytes instanceof Uint8Array
  )
}

async function outcomeOf({ work, bytes }: Task): Promise<Outcome> {
  try {
    return { result: await works[work](bytes) }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

process.on('message', (message: unknown) => {
  if (isTask(message)) void outcomeOf(message).then((outcome) => process.send?.(outcome))
})
// Ignores signals, because the parent ends this process: Ctrl-C in a terminal reaches it too, while the parent
// still finishes requests.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.once('disconnect', () => process.exit(0))
