import { useState } from 'react'
import { thumbnailSource } from '#web/lib/picture-source.ts'

const HUES = [
  ['#d3e4f0', '#16395a'],
  ['#ecdfcf', '#5a3d12'],
  ['#e0d4f0', '#3d1f66'],
  ['#dfeacb', '#3a4d10'],
  ['#cdeee2', '#0b4a38'],
  ['#f0d4de', '#66183a'],
] as const

/** Renders a user's image, or their initials when there is none or it does not load. Decorative: the name is beside it. */
export function Avatar({ name, image, size = 42 }: { name: string; image?: string | null; size?: number }) {
  const [failedImage, setFailedImage] = useState('')
  const [background, color] = HUES[hash(name) % HUES.length] ?? HUES[0]
  const dimensions = { width: size, height: size, fontSize: size * 0.38 }
  if (image && failedImage !== image) {
    return (
      <img
        src={thumbnailSource(image, size)}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        onError={() => setFailedImage(image)}
        className="shrink-0 rounded-full bg-canvas object-cover"
        style={dimensions}
      />
    )
  }
  return (
    <span
      aria-hidden="true"
      data-initials={initials(name)}
      className="avatar-initials inline-grid shrink-0 place-items-center rounded-full font-number leading-none select-none"
      style={{ ...dimensions, background: background, color }}
    />
  )
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = words.length > 1 ? [words[0], words[words.length - 1]] : words
  const segment = new Intl.Segmenter()
  return letters
    .map(
      (word) =>
        segment
          .segment(word ?? '')
          [Symbol.iterator]()
          .next().value?.segment ?? '',
    )
    .join('')
    .toUpperCase()
}

function hash(text: string): number {
  let sum = 0
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0
  return sum
}
