/** The embedded server can't be used; the message is a sentence for who starts the program. */
export class EmbeddedFailure extends Error {
  override name = 'EmbeddedFailure'
}
