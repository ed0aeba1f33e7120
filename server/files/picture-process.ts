/** The process that decodes and encodes: answers one message with one. It is started by decoding.ts and ends with it. */
import {
  encodeAvif,
  encodePicture,
  encodePreview,
  encodeVideoCover,
  type Encoded,
  type EncodedForm,
} from '#server/files/picture-encoding.ts'

/** What is done, and what comes of it. */
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
// Whoever asks for work ends it: a terminal's Ctrl-C reaches this process too, while its parent still finishes requests.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.once('disconnect', () => process.exit(0))
