/** Synthesizes two quiet notes for an arriving message, so that no file has to load. */

let context: AudioContext | undefined

/** Start in seconds, pitch in hertz. LENGTH is in seconds; a LOUDNESS of 1 is full volume. */
const NOTES = [
  { at: 0, pitch: 659 },
  { at: 0.09, pitch: 880 },
] as const
const LENGTH = 0.22
const LOUDNESS = 0.06

/** Plays once across all tabs. Browsers allow sound only after the user has interacted with the page. */
export async function playArrival(messageId: number): Promise<void> {
  if (!navigator.userActivation.hasBeenActive) return
  await navigator.locks.request(`kb-sound:${messageId}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) return
    await sound()
    // Keeps the lock while other tabs receive the message a moment later.
    await new Promise((resolve) => setTimeout(resolve, 3000))
  })
}

async function sound(): Promise<void> {
  try {
    context ??= new AudioContext()
    await context.resume()
    for (const { at, pitch } of NOTES) strike(context, context.currentTime + at, pitch)
  } catch {
    // The device has no audio output.
  }
}

function strike(audio: AudioContext, start: number, pitch: number): void {
  const tone = new OscillatorNode(audio, { type: 'sine', frequency: pitch })
  const volume = new GainNode(audio, { gain: 0 })
  volume.gain.setValueAtTime(0, start)
  volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.01)
  volume.gain.exponentialRampToValueAtTime(0.0001, start + LENGTH)
  tone.connect(volume).connect(audio.destination)
  tone.start(start)
  tone.stop(start + LENGTH)
}
