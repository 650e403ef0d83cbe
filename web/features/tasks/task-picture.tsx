import { useState } from 'react'
import { pictureSource } from '#web/lib/picture-source.ts'
import { IconClipboardText } from '#web/ui/icons.ts'

/** Renders a task's image, or a placeholder when there is none or it does not load. Decorative: the title is beside it. */
export function TaskPicture({ image, size = 44 }: { image: string; size?: number }) {
  const [failedImage, setFailedImage] = useState('')
  const dimensions = { width: size, height: size }
  if (image !== '' && failedImage !== image) {
    return (
      <img
        src={pictureSource(image)}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        onError={() => setFailedImage(image)}
        className="shrink-0 rounded-control bg-canvas object-cover"
        style={dimensions}
      />
    )
  }
  return (
    <span
      aria-hidden
      className="inline-grid shrink-0 place-items-center rounded-control bg-soft text-on-soft"
      style={dimensions}
    >
      <IconClipboardText size={size * 0.45} stroke={1.8} />
    </span>
  )
}
