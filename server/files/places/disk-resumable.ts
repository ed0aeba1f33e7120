/** Uploads in pieces to a disk: loaded with the first of them, as the library is large. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { FileStore, type Configstore } from '@tus/file-store'
import { writeAt } from '#server/files/places/write-at.ts'

/** The library's store, but flushed: an acknowledged piece must outlive a power cut. */
export class FlushedFileStore extends FileStore {
  constructor(directory: string, configstore: Configstore) {
    super({ directory, configstore })
    this.extensions = ['creation', 'creation-with-upload', 'termination']
  }

  override write(content: Readable, id: string, offset: number): Promise<number> {
    return writeAt(join(this.directory, id), content, offset)
  }

  /** The record goes first: it refuses when the upload is in use. */
  override async remove(id: string): Promise<void> {
    await this.configstore.delete(id)
    await rm(join(this.directory, id), { force: true })
  }
}
