import { isValidElement, type ReactNode } from 'react'
import { errorMessage } from '#web/lib/api.ts'
import type { Dialogs, PromptOptions } from '#web/ui/dialogs.tsx'

/** The browser's own dialogs, shown where the chunk of ours cannot be loaded. */
export const nativeDialogs: Dialogs = {
  message: async (options) => alert(textOf(options)),
  confirm: async (options) => confirm(textOf(options)),
  prompt: (options) => promptUntilSent(options),
  content: async () => null,
  contentOnTop: async () => null,
}

async function promptUntilSent(options: PromptOptions, typed = '', problem = ''): Promise<void> {
  const text = prompt([problem, textOf(options), options.label].filter(Boolean).join('\n\n'), typed)
    ?.trim()
    .slice(0, options.maxLength)
  if (!text) return
  try {
    await options.submit(text)
  } catch (error) {
    await promptUntilSent(options, text, errorMessage(error))
  }
}

function textOf({ title, text }: { title: string; text?: ReactNode }): string {
  return [title, plainText(text)].filter(Boolean).join('\n\n')
}

function plainText(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map(plainText).filter(Boolean).join(' ')
  return isValidElement<{ children?: ReactNode }>(node) ? plainText(node.props.children) : ''
}
