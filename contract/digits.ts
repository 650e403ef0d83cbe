/** Returns a text with its Bangla digits as 0–9. People type numbers with either. */
export function latinDigits(typed: string): string {
  return typed.replace(/[০-৯]/g, (digit) => String(digit.charCodeAt(0) - '০'.charCodeAt(0)))
}

/** Returns a text with its digits 0–9 as Bangla digits. */
export function banglaDigits(text: string): string {
  return text.replace(/\d/g, (digit) => String.fromCodePoint(0x09e6 + Number(digit)))
}
