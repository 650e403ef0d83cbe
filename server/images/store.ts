/** A stored picture's addresses. */
export type Addresses = { url: string; thumbUrl: string }

/** Where pictures are kept. Files are named `<hash>-<size>.webp`. */
export type ImageStore = {
  /** Stores a picture's files and answers where the world finds the large and the small one. */
  put(hash: string, sizes: { size: number; bytes: Buffer }[]): Promise<Addresses>
  /** A file that this program serves itself; undefined where there is none, or the world finds it elsewhere. */
  get(name: string): Promise<Buffer | undefined>
  /** Removes a picture's files; those that are gone already are fine. */
  remove(hash: string): Promise<void>
}

/** The large and the thumbnail's address, where files lie under this one. */
export function addressesUnder(base: string, hash: string): Addresses {
  return { url: `${base}/${fileName(hash, 1280)}`, thumbUrl: `${base}/${fileName(hash, 400)}` }
}

export function fileName(hash: string, size: number): string {
  return `${hash}-${size}.webp`
}
