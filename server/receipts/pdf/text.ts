import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '..', 'fonts')
const read = (name: string) => readFileSync(join(FOLDER, name))

/**
 * The fonts of PDF files, by name (scripts/build/fonts.mjs). Bengali is set in Hind Siliguri, whose conjuncts the PDF library
 * shapes correctly (docs/decisions/0045-receipts.md).
 */
export const FONTS = {
  latin: read('latin-400.ttf'),
  bold: read('latin-600.ttf'),
  extended: read('latin-ext-400.ttf'),
  bengali: read('bengali-400.ttf'),
  bengaliBold: read('bengali-600.ttf'),
}

type FontName = keyof typeof FONTS
export type Style = { size: number; bold?: boolean }
type Run = { font: FontName; text: string }
export type Line = { runs: Run[]; width: number }
/** Returns the width of text in a font at a size. */
export type Measure = (text: string, font: FontName, size: number) => number

const CLUSTERS = new Intl.Segmenter('en', { granularity: 'grapheme' })
const LINES_MAX = 12

/** Matches a letter with its marks and joiners, or a danda, by the first of them: other scripts have the same joiners. */
const BENGALI = /^[\p{Script=Bengali}\u0964\u0965]/u
/** The letters that the other fonts have. */
const LATIN =
  /^[\x20-\x7e\u00a0-\u00ff\u0131\u0152\u0153\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2039\u203a\u20ac\u2122]$/
const EXTENDED =
  /^[\u0100-\u0113\u0116-\u0127\u012a\u012b\u012e-\u0130\u0132-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u014d\u0150\u0151\u0154-\u0161\u0164\u0165\u016a-\u017e\u01cd\u01ce\u0218-\u021b\u1e80-\u1e85\u1e9e\u1ef2\u1ef3]$/

export const isBengali = (font: FontName) => font === 'bengali' || font === 'bengaliBold'

/** Splits text into runs of one font each. A letter and its marks are never separated. */
function runsOf(text: string, bold: boolean): Run[] {
  const runs: Run[] = []
  for (const { segment } of CLUSTERS.segment(text)) {
    const run = runOf(segment, bold)
    const last = runs.at(-1)
    if (last !== undefined && (last.font === run.font || (isBengali(last.font) && segment === ' ')))
      last.text += run.text
    else runs.push(run)
  }
  return runs
}

/** Returns the run of a letter. Letters that no font has lose their marks; those of other scripts become question marks. */
function runOf(cluster: string, bold: boolean): Run {
  if (BENGALI.test(cluster)) return { font: bold ? 'bengaliBold' : 'bengali', text: cluster }
  if (EXTENDED.test(cluster)) return { font: 'extended', text: cluster }
  const base = cluster.normalize('NFD').charAt(0)
  const text = [cluster, base].find((letter) => LATIN.test(letter)) ?? '?'
  return { font: bold ? 'bold' : 'latin', text }
}

/** Breaks text into lines of at most this width: at line breaks and spaces, and within words that are too long. */
export function linesOf(
  text: string,
  width: number,
  { size, bold = false }: Style,
  measure: Measure,
): Line[] {
  const widthOf = (part: string) =>
    runsOf(part, bold).reduce((sum, run) => sum + measure(run.text, run.font, size), 0)
  const lines: string[] = []
  for (const paragraph of text.normalize('NFC').split('\n')) {
    if (widthOf(paragraph) <= width) {
      lines.push(paragraph)
      continue
    }
    let line = ''
    for (const word of paragraph
      .split(/\s+/)
      .filter((part) => part !== '')
      .flatMap((part) => pieces(part))) {
      const longer = line === '' ? word.text : `${line}${word.joined ? '' : ' '}${word.text}`
      if (line === '' || widthOf(longer) <= width) line = longer
      else {
        lines.push(line)
        line = word.text
      }
    }
    lines.push(line)
  }
  const kept = lines.length > LINES_MAX ? [...lines.slice(0, LINES_MAX - 1), '…'] : lines
  return kept.map((line) => ({ runs: runsOf(line, bold), width: widthOf(line) }))

  /** Splits a word that is wider than a line into parts that fit. */
  function pieces(word: string): { text: string; joined: boolean }[] {
    if (widthOf(word) <= width) return [{ text: word, joined: false }]
    const parts: { text: string; joined: boolean }[] = []
    let part = ''
    for (const { segment } of CLUSTERS.segment(word)) {
      if (part !== '' && widthOf(part + segment) > width) {
        parts.push({ text: part, joined: parts.length > 0 })
        part = ''
      }
      part += segment
    }
    return [...parts, { text: part, joined: parts.length > 0 }]
  }
}
