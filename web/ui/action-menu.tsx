import { t } from '@lingui/core/macro'
import { ActionIcon } from '@mantine/core'
import { type ComponentType, useRef, useState } from 'react'
import { Link } from 'react-router'
import { IconDots } from '#web/ui/icons.ts'
import { ModalPanel } from '#web/ui/modal-panel.tsx'

export type Action = {
  label: string
  Icon?: ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>
  danger?: true
} & ({ to: string } | { onClick: () => void })

type Props = {
  /** The accessible name, with what the actions are for. */
  label: string
  actions: readonly Action[]
  /** Of the button, in px or in CSS. */
  size?: number | string
}

const ITEM_CLASS =
  'flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-control px-3 text-left no-underline hover:bg-canvas'

/** Renders a button that opens a menu of actions. */
export function ActionMenu({ label, actions, size = 44 }: Props) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <ActionIcon
        ref={button}
        size={size}
        aria-haspopup="dialog"
        aria-label={label}
        title={t`Actions`}
        onClick={() => setOpen(true)}
      >
        <IconDots size={20} aria-hidden />
      </ActionIcon>
      <ModalPanel label={label} opened={isOpen} onClose={() => setOpen(false)} below={button}>
        <ul className="p-1.5">
          {actions.map((action) => {
            const { label, Icon, danger } = action
            const content = (
              <>
                {Icon && <Icon size={18} stroke={1.8} aria-hidden />}
                {label}
              </>
            )
            return (
              <li key={label}>
                {'to' in action ? (
                  <Link to={action.to} className={ITEM_CLASS}>
                    {content}
                  </Link>
                ) : (
                  <button
                    type="button"
                    className={`${ITEM_CLASS} ${danger ? 'text-danger' : ''}`}
                    onClick={() => {
                      setOpen(false)
                      action.onClick()
                    }}
                  >
                    {content}
                  </button>
                )}
              </li>
            )
          })}
        </ul>
      </ModalPanel>
    </>
  )
}
