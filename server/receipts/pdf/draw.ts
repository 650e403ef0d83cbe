import PDFDocument from 'pdfkit'
import { formatNumber } from '#contract/amounts.bn.ts'
import type { Locale } from '#contract/locales.ts'
import type { Sheet, Table } from './sheet.ts'
import { FONTS, isBengali, type Line, linesOf, type Style } from './text.ts'

const MARGIN = 56
const INK = '#1c2420'
const DIM = '#5b6660'
const RULE = '#dde3e0'
const LEADING = 1.4
const BODY: Style = { size: 10 }
const SMALL: Style = { size: 9 }
const FOOTER: Style = { size: 8 }
const BOLD: Style = { size: 10, bold: true }

const PAGES: Record<Locale, (page: number, count: number) => string> = {
  en: (page, count) => `Page ${page} of ${count}`,
  bn: (page, count) => `পৃষ্ঠা ${formatNumber(page)}/${formatNumber(count)}`,
}

type Box = { x: number; width: number; align?: 'left' | 'right'; color?: string }
type Element = PDFKit.PDFStructureElement

/** Draws a sheet on A4 pages as a tagged PDF (PDF/UA), with its fonts embedded. */
export async function drawPdf(sheet: Sheet): Promise<Buffer> {
  const date = new Date(sheet.date)
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    pdfVersion: '1.7',
    // Missing in the types of this version.
    subset: 'PDF/UA' as 'PDF/A-3',
    tagged: true,
    lang: sheet.locale,
    displayTitle: true,
    bufferPages: true,
    // None until one is chosen by its name: a default one would be read again for each text.
    font: null as unknown as string,
    info: { Title: sheet.title, CreationDate: date, ModDate: date },
  })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve, reject) => doc.on('end', resolve).on('error', reject))
  for (const [name, font] of Object.entries(FONTS)) doc.registerFont(name, font)

  new Drawing(doc).draw(sheet)
  doc.end()
  await ended
  return Buffer.concat(chunks)
}

class Drawing {
  private readonly doc: PDFKit.PDFDocument
  private readonly root: Element
  private readonly left = MARGIN
  private readonly width: number
  private y = MARGIN

  constructor(doc: PDFKit.PDFDocument) {
    this.doc = doc
    this.width = doc.page.width - 2 * MARGIN
    this.root = doc.struct('Document')
    doc.addStructure(this.root)
  }

  draw({ locale, title, notice, parties, facts, tables, totals, note }: Sheet): void {
    this.block('H1', title, { size: 20, bold: true }, { x: this.left, width: this.width })
    if (notice !== undefined) this.block('P', notice, BOLD, { x: this.left, width: this.width })
    this.y += 14
    this.parties(parties)
    this.y += 12
    for (const [name, value] of facts) this.pair(name, value, BODY)
    for (const table of tables) this.table(table)
    this.y += 8
    for (const [index, [name, value]] of totals.entries())
      this.pair(name, value, index === totals.length - 1 ? { size: 12, bold: true } : BODY)
    if (note !== undefined) {
      this.y += 16
      this.block('P', note, SMALL, { x: this.left, width: this.width, color: DIM })
    }
    this.root.end()
    this.numberPages(locale)
  }

  /** Draws the parties side by side. */
  private parties(parties: Sheet['parties']): void {
    const top = this.y
    const width = (this.width - 24) / Math.max(1, parties.length)
    let bottom = top
    for (const [index, { label, lines }] of parties.entries()) {
      this.y = top
      const box = { x: this.left + index * (width + 24), width }
      this.block('P', label, SMALL, { ...box, color: DIM })
      for (const line of lines.filter((line) => line !== '')) this.block('P', line, BODY, box)
      bottom = Math.max(bottom, this.y)
    }
    this.y = bottom
  }

  /** Draws a name on the left and its value on the right. */
  private pair(name: string, value: string, style: Style): void {
    const half = this.width / 2
    const cells = [
      {
        lines: this.lines(name, half - 8, style),
        box: { x: this.left, width: half - 8, color: style.bold ? INK : DIM },
      },
      {
        lines: this.lines(value, half, style),
        box: { x: this.left + half, width: half, align: 'right' as const },
      },
    ]
    this.row(this.root, cells, style, 'P')
  }

  private table({ title, columns, rows }: Table): void {
    this.y += 18
    if (title !== undefined) {
      this.keepTogether(60)
      this.block('H2', title, { size: 12, bold: true }, { x: this.left, width: this.width })
      this.y += 4
    }
    const table = this.doc.struct('Table')
    this.root.add(table)
    const shares = columns.reduce((sum, { share }) => sum + share, 0)
    let x = this.left
    const boxes = columns.map(({ share, align }) => {
      const width = (this.width * share) / shares
      const box = { x, width: width - 8, align }
      x += width
      return align === 'right' ? { ...box, x: box.x + 8 } : box
    })
    for (const [index, cells] of [columns.map(({ header }) => header), ...rows].entries()) {
      const style: Style = index === 0 ? { size: 9, bold: true } : SMALL
      const row = this.doc.struct('TR')
      table.add(row)
      this.row(
        row,
        cells.map((text, column) => {
          const box = boxes[column] as Box
          return { lines: this.lines(text, box.width, style), box }
        }),
        style,
        index === 0 ? 'TH' : 'TD',
      )
      row.end()
      this.rule()
    }
    table.end()
  }

  /** Draws cells beside each other, on the next page if they do not fit on this one. */
  private row(
    parent: Element,
    cells: { lines: Line[]; box: Box }[],
    style: Style,
    tag: 'TH' | 'TD' | 'P',
  ): void {
    const height = Math.max(1, ...cells.map(({ lines }) => lines.length)) * style.size * LEADING
    this.keepTogether(height + 6)
    const top = this.y + 3
    for (const { lines, box } of cells)
      this.tagged(parent, tag, lines, () => this.text(lines, style, box, top))
    this.y = top + height + 3
  }

  /** Draws a paragraph or a heading and moves below it. */
  private block(tag: 'H1' | 'H2' | 'P', text: string, style: Style, box: Box): void {
    const lines = this.lines(text, box.width, style)
    const height = lines.length * style.size * LEADING
    this.keepTogether(height)
    const top = this.y
    this.tagged(this.root, tag, lines, () => this.text(lines, style, box, top))
    this.y = top + height
  }

  /** Shaped letters are not stored in the order of speech, so the text itself goes with them. */
  private tagged(parent: Element, tag: string, lines: Line[], draw: () => void): void {
    const runs = lines.flatMap(({ runs }) => runs)
    const actual = lines.map((line) => line.runs.map(({ text }) => text).join('')).join(' ')
    const options = runs.some(({ font }) => isBengali(font)) ? { actual } : {}
    parent.add(this.doc.struct(tag as PDFKit.Mixins.StructureElementOptions & string, options, draw))
  }

  private text(
    lines: Line[],
    { size }: Style,
    { x, width, align = 'left', color = INK }: Box,
    top: number,
  ): void {
    for (const [index, line] of lines.entries()) {
      const baseline = top + (index + 1) * size * LEADING - size * 0.35
      let at = align === 'right' ? x + width - line.width : x
      for (const run of line.runs) {
        this.doc.font(run.font).fontSize(size).fillColor(color)
        this.doc.text(run.text, at, baseline, { lineBreak: false, baseline: 'alphabetic' })
        at += this.doc.widthOfString(run.text)
      }
    }
  }

  private lines(text: string, width: number, style: Style): Line[] {
    return linesOf(text, width, style, (part, font, size) =>
      this.doc.font(font).fontSize(size).widthOfString(part),
    )
  }

  private rule(): void {
    const { doc, left, width, y } = this
    doc.markContent('Artifact', { type: 'Layout' })
    doc
      .moveTo(left, y)
      .lineTo(left + width, y)
      .lineWidth(0.5)
      .strokeColor(RULE)
      .stroke()
    doc.endMarkedContent()
  }

  private keepTogether(height: number): void {
    if (this.y + height <= this.doc.page.height - MARGIN - 20) return
    this.doc.addPage()
    this.y = MARGIN
  }

  private numberPages(locale: Locale): void {
    const { doc } = this
    const { count } = doc.bufferedPageRange()
    if (count === 1) return
    for (let page = 0; page < count; page++) {
      doc.switchToPage(page)
      doc.markContent('Artifact', { type: 'Pagination' })
      // Below the margin, where the library would begin a new page.
      doc.page.margins.bottom = 0
      const lines = this.lines(PAGES[locale](page + 1, count), this.width, FOOTER)
      this.text(lines, FOOTER, { x: this.left, width: this.width, color: DIM }, doc.page.height - MARGIN + 7)
      doc.endMarkedContent()
    }
  }
}
