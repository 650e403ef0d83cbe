import type { ImageSettings } from '#server/config.ts'
import type { ImageStore } from './store.ts'
import { bucketStore } from './store-bucket.ts'
import { folderStore } from './store-folder.ts'
import { hostStore } from './store-host.ts'

/** Returns the image store of this configuration (docs/specification/overview.md). */
export function openImageStore(settings: ImageSettings, publicUrl: string): ImageStore {
  switch (settings.kind) {
    case 'folder':
      return folderStore(settings.folder, publicUrl)
    case 'bucket':
      return bucketStore(settings, publicUrl)
    case 'host':
      return hostStore(settings)
  }
}
