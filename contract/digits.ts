/** Returns a text with its Bangla digits as 0–9. People type numbers with either. */
export function latinDigits(typed: string): string {
  return typed.replace(/[০-৯]/g, (digit) => String(digit.charCodeAt(0) - '০'.charCodeAt(0)))
}
