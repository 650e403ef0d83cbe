/** Returns the text that is this one, or this one in another Unicode form: Bangla keyboards differ in how they write ড়, ঢ় and য়. */
export const equalText = (texts: readonly string[], text: string): string | undefined =>
  texts.includes(text) ? text : texts.find((other) => other.normalize() === text.normalize())
