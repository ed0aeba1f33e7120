import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'

interface Room {
  readonly bavail: number
  readonly blocks: number
  readonly bsize: number
}

/** Registers gauges of free space for folders by name. A disk that doesn't respond isn't shown. */
export function watchDisks(registry: Registry, folders: Readonly<Record<string, string>>): void {
  const show = (name: string, help: string, of: (room: Room) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['disk'],
      registers: [registry],
      async collect() {
        for (const [disk, folder] of Object.entries(folders)) {
          const room = await statfs(folder).catch(() => null)
          if (room === null) this.remove({ disk })
          else this.set({ disk }, of(room))
        }
      },
    })
  show(
    'bazaar_disk_free_bytes',
    'Bytes that may still be written to the disk of a folder, by folder',
    ({ bavail, bsize }) => bavail * bsize,
  )
  show(
    'bazaar_disk_size_bytes',
    'Size of the disk that a folder is on, by folder',
    ({ blocks, bsize }) => blocks * bsize,
  )
}
