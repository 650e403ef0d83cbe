import type { Locale } from '#contract/locales.ts'

/** A column of a table: its share of the width, and the side that its cells are aligned to. */
export type Column = { header: string; share: number; align: 'left' | 'right' }
export type Table = { title?: string; columns: Column[]; rows: string[][] }

/** The content of a PDF file, without its layout. */
export type Sheet = {
  locale: Locale
  /** The heading, and the title of the document. */
  title: string
  /** When the document was made: the same content makes the same file. */
  date: string
  notice?: string | undefined
  parties: { label: string; lines: string[] }[]
  facts: [name: string, value: string][]
  tables: Table[]
  /** The last one is set in bold. */
  totals: [name: string, value: string][]
  note?: string | undefined
}
