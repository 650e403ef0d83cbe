import { t } from '@lingui/core/macro'
import { Modal } from '@mantine/core'
import { type MouseEvent, useLayoutEffect, useRef, useState } from 'react'
import { LARGE_PICTURE_PX } from '#contract/picture-sizes.ts'
import { pictureSource } from '#web/lib/picture-source.ts'

export type PictureViewerProps = { image: string; title: string; opened: boolean; onClose: () => void }

/** How much a press enlarges a picture. */
const ZOOM = 2.5

/** Renders a task's picture in full, in a dialog. A press enlarges it. */
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
      <ZoomablePicture image={image} />
    </Modal>
  )
}

/** The width of an enlarged picture, and the point that was pressed as a share of its width and height. */
type Zoomed = { width: number; x: number; y: number }

function ZoomablePicture({ image }: { image: string }) {
  const [source, setSource] = useState(() => pictureSource(image, LARGE_PICTURE_PX))
  const frame = useRef<HTMLDivElement>(null)
  const [zoomed, setZoomed] = useState<Zoomed | null>(null)

  useLayoutEffect(() => {
    if (zoomed === null || frame.current === null) return
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = frame.current
    frame.current.scrollLeft = zoomed.x * scrollWidth - clientWidth / 2
    frame.current.scrollTop = zoomed.y * scrollHeight - clientHeight / 2
  }, [zoomed])

  const toggle = ({ currentTarget, clientX, clientY, detail }: MouseEvent<HTMLButtonElement>) => {
    if (zoomed !== null) return setZoomed(null)
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    // A press of a key has no point.
    const [x, y] = detail === 0 ? [0.5, 0.5] : [(clientX - left) / width, (clientY - top) / height]
    setZoomed({ width: width * ZOOM, x, y })
  }

  return (
    <div ref={frame} className="max-h-[75dvh] overflow-auto">
      <button
        type="button"
        aria-label={zoomed === null ? t`Zoom in` : t`Zoom out`}
        onClick={toggle}
        className="mx-auto block"
        style={{ cursor: zoomed === null ? 'zoom-in' : 'zoom-out' }}
      >
        <img
          src={source}
          alt=""
          // Of a site that does not respond now, the small one is stored.
          onError={() => setSource(pictureSource(image))}
          className={zoomed === null ? 'block max-h-[75dvh] max-w-full object-contain' : 'block'}
          style={zoomed === null ? undefined : { width: zoomed.width, maxWidth: 'none' }}
        />
      </button>
    </div>
  )
}
