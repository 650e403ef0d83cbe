import { useState } from 'react'
import type { TaskCategory } from '#contract/task-categories.ts'
import { thumbnailSource } from '#web/lib/picture-source.ts'
import illustrations from './category-illustrations.svg?url'

type Props = {
  /** The URL of the image; empty when the task has none. */
  image: string
  category: TaskCategory
  size?: number
}

/**
 * Renders a task's image, or the illustration of its category when there is none or it does not load. Decorative: the title
 * is beside it.
 */
export function TaskPicture({ image, category, size = 44 }: Props) {
  const [failedImage, setFailedImage] = useState('')
  const dimensions = { width: size, height: size }
  if (image !== '' && failedImage !== image) {
    return (
      <img
        src={thumbnailSource(image, size)}
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
      <svg width={size * 0.7} height={size * 0.7} aria-hidden="true">
        <use href={`${illustrations}#${category}`} />
      </svg>
    </span>
  )
}
