import { t } from '@lingui/core/macro'
import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { TaskCategory } from '#contract/task-categories.ts'
import { TaskPicture } from '#web/features/tasks/task-picture.tsx'
import { pictureSource, thumbnailSource } from '#web/lib/picture-source.ts'

const SIZE = 112

type Props = { image: string; category: TaskCategory; title: string }

/** Renders a task's picture as a crop that opens in full, or the illustration of its category when it does not load. */
export function OpenablePicture({ image, category, title }: Props) {
  const [isBroken, setIsBroken] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  if (isBroken) return <TaskPicture image="" category={category} size={SIZE} />
  return (
    <>
      <button
        type="button"
        aria-label={t`Open the picture`}
        onClick={() => setIsOpen(true)}
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
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={title}
        size="auto"
        centered
        closeButtonProps={{ 'aria-label': t`Close` }}
      >
        <img src={pictureSource(image)} alt="" className="mx-auto max-h-[75dvh] max-w-full object-contain" />
      </Modal>
    </>
  )
}
