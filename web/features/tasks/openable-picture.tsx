import { t } from '@lingui/core/macro'
import { type ComponentType, useRef, useState } from 'react'
import type { TaskCategory } from '#contract/task-categories.ts'
import { TaskPicture } from '#web/features/tasks/task-picture.tsx'
import { loadChunkWithRetry } from '#web/lib/chunk-loading.ts'
import { thumbnailSource } from '#web/lib/picture-source.ts'
import type { PictureViewerProps } from './picture-viewer.tsx'

const load = () => import('./picture-viewer.tsx')

const SIZE = 112

type Props = { image: string; category: TaskCategory; title: string }

/** Renders a task's picture as a crop that opens in full, or the illustration of its category when it does not load. */
export function OpenablePicture({ image, category, title }: Props) {
  const opener = useRef<HTMLButtonElement>(null)
  const [isBroken, setIsBroken] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  const [Viewer, setViewer] = useState<ComponentType<PictureViewerProps> | null>(null)
  const open = () => {
    setIsOpen(true)
    void loadChunkWithRetry(load).then((module) => setViewer(() => module.default))
  }
  const close = () => {
    setIsOpen(false)
    // The viewer cannot know it: it is rendered first when it is open.
    opener.current?.focus()
  }
  if (isBroken) return <TaskPicture image="" category={category} size={SIZE} />
  return (
    <>
      <button
        ref={opener}
        type="button"
        aria-label={t`Open the picture`}
        onClick={open}
        className="block cursor-zoom-in rounded-control"
      >
        <img
          src={thumbnailSource(image, SIZE)}
          alt=""
          width={SIZE}
          height={SIZE}
          decoding="async"
          onError={() => setIsBroken(true)}
          className="rounded-control bg-canvas object-cover"
          style={{ width: SIZE, height: SIZE }}
        />
      </button>
      {Viewer && <Viewer image={image} title={title} opened={isOpen} onClose={close} />}
    </>
  )
}
