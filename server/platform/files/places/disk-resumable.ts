/** Resumable uploads to a disk. Imported with the first of them, because the library is large. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { FileStore, type Configstore } from '@tus/file-store'
import { writeAt } from '#server/platform/files/places/write-at.ts'

/** The library's store with fsync: an acknowledged piece must survive a power failure. */
export class FlushedFileStore extends FileStore {
  constructor(directory: string, configstore: Configstore) {
    super({ directory, configstore })
    this.extensions = ['creation', 'creation-with-upload', 'termination']
  }

  override write(content: Readable, id: string, offset: number): Promise<number> {
    return writeAt(join(this.directory, id), content, offset)
  }

  /** Deletes the record first, because that refuses when the upload is in use. */
  override async remove(id: string): Promise<void> {
    await this.configstore.delete(id)
    await rm(join(this.directory, id), { force: true })
  }
}
