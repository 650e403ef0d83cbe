import { t } from '@lingui/core/macro'
import { type ComponentType, useEffect, useState } from 'react'
import type { User } from '#contract/users.ts'
import { isDialogOpen, keyOf } from '#web/features/shortcuts/use-shortcuts.ts'
import { loadChunkWithRetry } from '#web/lib/chunk-loading.ts'
import { IconButton } from '#web/ui/button.tsx'
import { IconSearch } from '#web/ui/icons.ts'

export type PaletteProps = { user: User; isOpen: boolean; close: () => void }

const load = () => import('./palette.tsx')

/** Renders the button that opens the command palette, as Ctrl or ⌘ K does. Its code is loaded when it is first opened. */
export function PaletteButton({ user }: { user: User }) {
  const [isOpen, setIsOpen] = useState(false)
  const [Palette, setPalette] = useState<ComponentType<PaletteProps> | null>(null)

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      if (keyOf(event) !== 'k') return
      event.preventDefault()
      // Not over another dialog.
      const mayOpen = !isDialogOpen()
      setIsOpen((wasOpen) => !wasOpen && mayOpen)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  useEffect(() => {
    if (isOpen) void loadChunkWithRetry(load).then((module) => setPalette(() => module.default))
  }, [isOpen])

  return (
    <>
      <IconButton
        className="hidden @min-[40rem]:flex"
        label={t`Find a screen or an action`}
        aria-keyshortcuts="Control+K Meta+K"
        title="Ctrl K"
        onClick={() => setIsOpen(true)}
      >
        <IconSearch size={20} aria-hidden />
      </IconButton>
      {Palette && <Palette user={user} isOpen={isOpen} close={() => setIsOpen(false)} />}
    </>
  )
}
