import { isValidElement, type ReactNode } from 'react'
import type { Dialogs } from '#web/ui/dialogs.tsx'

/** The browser's own dialogs, shown where the chunk of ours cannot be loaded. */
export const nativeDialogs: Dialogs = {
  message: async (options) => alert(textOf(options)),
  confirm: async (options) => confirm(textOf(options)),
  prompt: async (options) => {
    const result = prompt(`${textOf(options)}\n\n${options.label}`)
      ?.trim()
      .slice(0, options.maxLength)
    return result || null
  },
  content: async () => null,
  contentOnTop: async () => null,
}

function textOf({ title, text }: { title: string; text?: ReactNode }): string {
  return [title, plainText(text)].filter(Boolean).join('\n\n')
}

function plainText(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map(plainText).filter(Boolean).join(' ')
  return isValidElement<{ children?: ReactNode }>(node) ? plainText(node.props.children) : ''
}
