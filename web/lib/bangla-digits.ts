import { latinDigits } from '#contract/digits.ts'

const NUMERIC = new Set(['numeric', 'decimal', 'tel'])

/**
 * Converts Bangla digits in number fields as they are typed or pasted, before the fields, which know 0–9 only, read their
 * value. Returns a function that stops it.
 */
export function acceptBanglaDigits(): () => void {
  window.addEventListener('input', convert, { capture: true })
  return () => window.removeEventListener('input', convert, { capture: true })
}

function convert({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || !NUMERIC.has(target.inputMode)) return
  const latin = latinDigits(target.value)
  if (latin === target.value) return
  const { selectionStart, selectionEnd } = target
  // Past React's own setter, so that React sees a change.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(target, latin)
  target.setSelectionRange(selectionStart, selectionEnd)
}
