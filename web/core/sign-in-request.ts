/** Signing in again in place: api() asks, the layout's dialog answers. */
type Asker = () => Promise<boolean>

let asker: Asker | null = null
let asked: Promise<boolean> | null = null

/** The layout's dialog registers itself here. Returns how to unregister. */
export function hostSignIn(host: Asker): () => void {
  asker = host
  return () => {
    asker = null
  }
}

/** Resolves true when the person has signed in again; false when they would not. Several callers share one dialog. */
export function requestSignIn(): Promise<boolean> {
  asked ??= (asker?.() ?? Promise.resolve(false)).finally(() => {
    asked = null
  })
  return asked
}
