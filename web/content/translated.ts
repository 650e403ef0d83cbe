/** The type of a translation of texts: the same structure with other strings. */
export type Translated<Texts> = Texts extends string
  ? string
  : Texts extends number
    ? number
    : { readonly [Key in keyof Texts]: Translated<Texts[Key]> }
