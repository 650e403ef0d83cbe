/** Returns a `mailto:` URL. Encodes everything but the @, so that an email can add neither recipients nor a text. */
export function mailto(email: string, subject?: string): string {
  const address = encodeURIComponent(email).replaceAll('%40', '@')
  return `mailto:${address}${subject === undefined ? '' : `?subject=${encodeURIComponent(subject)}`}`
}
