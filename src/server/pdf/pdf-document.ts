import type PDFDocument from 'pdfkit'

type Color = 'black' | 'gray' | 'green'
type TextStyle = {
  size?: number
  bold?: boolean
  color?: Color
  align?: 'left' | 'right'
  link?: string | undefined
  gap?: number
}
type Column = { share: number; align?: 'left' | 'right' }
export type PdfDocument = {
  /** Writes text below the current content, in the current column. Sizes and gaps are in points. */
  text: (text: string, style?: TextStyle) => void
  /** Draws a PNG image below the current content, at most this large, in points. */
  image: (png: Uint8Array, size: { width: number; height: number }) => void
  heading: (text: string) => void
  /** Writes two columns side by side. Content after them starts below the longer column. */
  columns: (left: () => void, right: () => void) => void
  /** Writes a table. The first row is the header, the last row the total. */
  table: (columns: Column[], rows: string[][]) => void
  rule: () => void
  bytes: () => Promise<Uint8Array<ArrayBuffer>>
}

const page = { width: 612, height: 792, margin: 54 }
const colors: Record<Color, string> = { black: '#1d0f08', gray: '#6b5d54', green: '#1d6b3a' }
const ruleColor = '#ddd2c6'
// The test-card bars of the logo, in colors for print.
const bars = ['#f0e3c8', '#f6c944', '#8fc24a', '#4fa3a0', '#74addb', '#8a2d5e', '#f2672a', '#3a2418']

/** Starts a PDF in US Letter size. The same content and date give the same bytes: nothing depends on the clock. */
export async function startPdf({
  title,
  author,
  madeAt,
}: {
  title: string
  author: string
  madeAt: Date
}): Promise<PdfDocument> {
  // Loaded with the first PDF, so that it does not slow down startup.
  const { default: Document } = await import('pdfkit')
  const doc = new Document({
    size: [page.width, page.height],
    margin: page.margin,
    lang: 'en-US',
    displayTitle: true,
    info: {
      Title: printable(title),
      Author: printable(author),
      Creator: printable(author),
      Producer: 'pdfkit',
      CreationDate: madeAt,
    },
  })
  bars.forEach((color, index) => {
    doc.rect((page.width / bars.length) * index, 0, page.width / bars.length, 7).fill(color)
  })
  doc.y = page.margin
  return pdfOn(doc)
}

function pdfOn(doc: typeof PDFDocument.prototype): PdfDocument {
  const whole = { x: page.margin, width: page.width - 2 * page.margin }
  let column = whole

  const write = (
    text: string,
    x: number,
    y: number,
    width: number,
    { size = 11, bold, color = 'black', align = 'left', link }: TextStyle,
  ) => {
    doc.font(bold ? 'Helvetica-Bold' : 'Helvetica', size).fillColor(colors[color])
    doc.text(printable(text), x, y, { width, align, lineGap: 2.5, ...(link && { link, underline: true }) })
    return doc.y
  }
  const text: PdfDocument['text'] = (words, style = {}) => {
    doc.y = write(words, column.x, doc.y, column.width, style) + (style.gap ?? 0)
  }
  const rule = () => {
    doc
      .moveTo(whole.x, doc.y + 12)
      .lineTo(whole.x + whole.width, doc.y + 12)
      .lineWidth(0.75)
      .stroke(ruleColor)
    doc.y += 26
  }

  return {
    text,
    rule,
    image: (png, { width, height }) => {
      doc.image(Buffer.from(png), column.x, doc.y, { fit: [width, height] })
      doc.y += height + 12
    },
    heading: (words) => text(words, { size: 13, bold: true, gap: 4 }),
    columns: (left, right) => {
      const top = doc.y
      const half = (whole.width - 24) / 2
      column = { x: whole.x, width: half }
      left()
      const leftEnd = doc.y
      doc.y = top
      column = { x: whole.x + half + 24, width: half }
      right()
      column = whole
      doc.y = Math.max(leftEnd, doc.y)
    },
    table: (columns, rows) => {
      rows.forEach((row, index) => {
        const isHead = index === 0
        const isTotal = index === rows.length - 1
        const style: TextStyle = isHead
          ? { size: 9.5, bold: true, color: 'gray' }
          : isTotal
            ? { size: 13, bold: true }
            : {}
        const top = doc.y
        let x = whole.x
        let end = top
        row.forEach((cell, at) => {
          const { share, align } = columns[at]!
          const width = whole.width * share
          end = Math.max(end, write(cell, x, top, width - (at < columns.length - 1 ? 10 : 0), { ...style, align }))
          x += width
        })
        doc.y = end
        if (!isTotal) {
          doc
            .moveTo(whole.x, end + 4)
            .lineTo(whole.x + whole.width, end + 4)
            .lineWidth(0.75)
            .stroke(ruleColor)
          doc.y = end + 14
        }
      })
    },
    bytes: async () => {
      doc.end()
      const chunks: Uint8Array[] = []
      for await (const chunk of doc) chunks.push(chunk as Uint8Array)
      return new Uint8Array(Buffer.concat(chunks))
    },
  }
}

// Everything outside Windows-1252, the character set of the standard fonts.
const unprintable =
  /[^\n\u0020-\u007e\u00a0-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]/gu

/** Replaces characters that the standard fonts lack by the letter without its accent, or by a question mark. */
function printable(text: string): string {
  return text.normalize('NFC').replace(unprintable, (char) => {
    const plain = char.normalize('NFKD').replace(/\p{M}/gu, '')
    return plain === '' || plain.match(unprintable) ? '?' : plain
  })
}
