import { useState } from 'react'
import { IconClipboardText } from '#web/ui/icons.ts'

/** A task's picture; a quiet tile where there is none or it does not load. The title stands beside it in words. */
export function TaskPicture({ image, size = 44 }: { image: string; size?: number }) {
  const [broken, setBroken] = useState('')
  const shape = { width: size, height: size }
  if (image !== '' && broken !== image) {
    return (
      <img
        src={image}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        onError={() => setBroken(image)}
        className="shrink-0 rounded-control bg-canvas object-cover"
        style={shape}
      />
    )
  }
  return (
    <span
      aria-hidden
      className="inline-grid shrink-0 place-items-center rounded-control bg-soft text-on-soft"
      style={shape}
    >
      <IconClipboardText size={size * 0.45} stroke={1.8} />
    </span>
  )
}
