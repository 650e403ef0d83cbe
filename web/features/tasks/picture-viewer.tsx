import { t } from '@lingui/core/macro'
import { Modal } from '@mantine/core'
import { pictureSource } from '#web/lib/picture-source.ts'

export type PictureViewerProps = { image: string; title: string; opened: boolean; onClose: () => void }

/** Renders a task's picture in full, in a dialog. */
export default function PictureViewer({ image, title, opened, onClose }: PictureViewerProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size="auto"
      centered
      closeButtonProps={{ 'aria-label': t`Close` }}
    >
      <img src={pictureSource(image)} alt="" className="mx-auto max-h-[75dvh] max-w-full object-contain" />
    </Modal>
  )
}
