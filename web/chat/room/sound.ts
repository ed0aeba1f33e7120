/** Two quiet notes for a message that came, made on the spot: nothing to fetch. */

let context: AudioContext | undefined

/** Seconds, hertz, loudness (1 is full). */
const NOTES = [
  { at: 0, pitch: 659 },
  { at: 0.09, pitch: 880 },
] as const
const LENGTH = 0.22
const LOUDNESS = 0.06

/**
 * Plays once in all tabs together for each message. Browsers let a page sound only after its person has done
 * something on it; before that it stays silent.
 */
export async function playArrival(messageId: number): Promise<void> {
  if (!navigator.userActivation.hasBeenActive) return
  await navigator.locks.request(`kb-sound:${messageId}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) return
    await sound()
    // Tabs that hear of the message a moment later find the lock taken.
    await new Promise((resolve) => setTimeout(resolve, 3000))
  })
}

async function sound(): Promise<void> {
  try {
    context ??= new AudioContext()
    await context.resume()
    for (const { at, pitch } of NOTES) strike(context, context.currentTime + at, pitch)
  } catch {
    // A machine without sound.
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
