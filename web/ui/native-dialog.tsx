import { isValidElement, type ReactNode, useEffect } from 'react'
import type { Dialog } from '#web/ui/dialogs.tsx'

/** The browser's own dialog, for when ours could not be fetched: what is said and asked must not get lost. */
export function NativeDialog({ dialog, onClosed }: { dialog: Dialog; onClosed: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each dialog
  useEffect(() => {
    const text = [dialog.title, wordsOf(dialog.text)].filter(Boolean).join('\n\n')
    // After this paint, so that a second mount of the same dialog does not ask twice.
    const timer = setTimeout(() => {
      if (dialog.kind === 'message') {
        alert(text)
        onClosed()
        dialog.done()
      } else if (dialog.kind === 'confirm') {
        const yes = confirm(text)
        onClosed()
        dialog.done(yes)
      } else {
        const result = prompt(`${text}\n\n${dialog.label}`)?.trim().slice(0, dialog.maxLength)
        onClosed()
        dialog.done(result ? result : null)
      }
    })
    return () => clearTimeout(timer)
  }, [])
  return null
}

function wordsOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map(wordsOf).filter(Boolean).join(' ')
  return isValidElement<{ children?: ReactNode }>(node) ? wordsOf(node.props.children) : ''
}
