declare module 'subset-font' {
  /** Returns a font with the letters of `text` only. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: { targetFormat: 'truetype' },
  ): Promise<Uint8Array>
}
