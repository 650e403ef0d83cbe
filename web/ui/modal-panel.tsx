import './modal-panel.css'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

const GAP_PX = 8

type Props = {
  label: string
  opened: boolean
  onClose: () => void
  /** The button below which the panel opens, or above it where the window ends. Without one, the panel is at the left side, as high as the window. */
  below?: RefObject<HTMLElement | null>
  children: ReactNode
}

/**
 * Renders a panel above the screen, such as a menu, in the browser's own modal dialog: it keeps the focus inside and returns
 * it to the button that opened the panel. Escape and a press beside it close it. Mantine's Drawer and Popover take 30 KB.
 */
export function ModalPanel({ opened, ...props }: Props) {
  return opened && <OpenPanel {...props} />
}

function OpenPanel({ label, onClose, below, children }: Omit<Props, 'opened'>) {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    const button = below?.current?.getBoundingClientRect()
    if (dialog && button) {
      // At the right edge of the button, as far as the window has room to its left; above it where there is none below.
      const { clientWidth, clientHeight } = document.documentElement
      const room = clientWidth - dialog.offsetWidth - GAP_PX
      const bottom = button.bottom + GAP_PX
      const isAbove = bottom + dialog.offsetHeight > clientHeight && button.top > dialog.offsetHeight + GAP_PX
      dialog.style.top = `${isAbove ? button.top - GAP_PX - dialog.offsetHeight : bottom}px`
      dialog.style.right = `${Math.max(GAP_PX, Math.min(clientWidth - button.right, room))}px`
    }
    return () => dialog?.close()
  }, [below])
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [onClose])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, above
    <dialog
      ref={ref}
      aria-label={label}
      className="modal-panel"
      data-dropdown={below ? '' : undefined}
      data-side={below ? undefined : ''}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      {children}
    </dialog>
  )
}
