import type PDFDocument from 'pdfkit'

type Ink = 'black' | 'grey' | 'green'
type Look = {
  size?: number
  bold?: boolean
  ink?: Ink
  align?: 'left' | 'right'
  link?: string | undefined
  gap?: number
}
type Column = { share: number; align?: 'left' | 'right' }
export type PdfDocument = {
  /** Writes below what is there, in the column that is open. Sizes and gaps are points. */
  text: (text: string, look?: Look) => void
  heading: (text: string) => void
  /** Both begin at the same height; what follows stands below the longer one. */
  columns: (left: () => void, right: () => void) => void
  /** The first row is the head, the last one the sum. */
  table: (columns: Column[], rows: string[][]) => void
  rule: () => void
  bytes: () => Promise<Uint8Array<ArrayBuffer>>
}

const page = { width: 612, height: 792, margin: 54 }
const inks: Record<Ink, string> = { black: '#1d0f08', grey: '#6b5d54', green: '#1d6b3a' }
const line = '#ddd2c6'
// The strip of test-card colours that is the mark of the site, in values for paper.
const bars = ['#f0e3c8', '#f6c944', '#8fc24a', '#4fa3a0', '#74addb', '#8a2d5e', '#f2672a', '#3a2418']

/** A sheet of Letter paper. The same words and date make the same bytes: nothing in it comes from the clock. */
export async function startPdf({
  title,
  author,
  madeAt,
}: {
  title: string
  author: string
  madeAt: Date
}): Promise<PdfDocument> {
  // Loaded with the first paper: no other request and no start-up has to wait for it.
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
  bars.forEach((colour, index) => {
    doc.rect((page.width / bars.length) * index, 0, page.width / bars.length, 7).fill(colour)
  })
  doc.y = page.margin
  return paperOn(doc)
}

function paperOn(doc: typeof PDFDocument.prototype): PdfDocument {
  const whole = { x: page.margin, width: page.width - 2 * page.margin }
  let column = whole

  const write = (
    text: string,
    x: number,
    y: number,
    width: number,
    { size = 11, bold, ink = 'black', align = 'left', link }: Look,
  ) => {
    doc.font(bold ? 'Helvetica-Bold' : 'Helvetica', size).fillColor(inks[ink])
    doc.text(printable(text), x, y, { width, align, lineGap: 2.5, ...(link && { link, underline: true }) })
    return doc.y
  }
  const text: PdfDocument['text'] = (words, look = {}) => {
    doc.y = write(words, column.x, doc.y, column.width, look) + (look.gap ?? 0)
  }
  const rule = () => {
    doc
      .moveTo(whole.x, doc.y + 12)
      .lineTo(whole.x + whole.width, doc.y + 12)
      .lineWidth(0.75)
      .stroke(line)
    doc.y += 26
  }

  return {
    text,
    rule,
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
        const isSum = index === rows.length - 1
        const look: Look = isHead ? { size: 9.5, bold: true, ink: 'grey' } : isSum ? { size: 13, bold: true } : {}
        const top = doc.y
        let x = whole.x
        let end = top
        row.forEach((cell, at) => {
          const { share, align } = columns[at]!
          const width = whole.width * share
          end = Math.max(end, write(cell, x, top, width - (at < columns.length - 1 ? 10 : 0), { ...look, align }))
          x += width
        })
        doc.y = end
        if (!isSum) {
          doc
            .moveTo(whole.x, end + 4)
            .lineTo(whole.x + whole.width, end + 4)
            .lineWidth(0.75)
            .stroke(line)
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

// What the standard fonts can show: Windows-1252.
const foreign =
  /[^\n\u0020-\u007e\u00a0-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]/gu

/** The text in letters the standard fonts have: without the accents they lack, a question mark for the rest. */
function printable(text: string): string {
  return text.normalize('NFC').replace(foreign, (letter) => {
    const plain = letter.normalize('NFKD').replace(/\p{M}/gu, '')
    return plain === '' || plain.match(foreign) ? '?' : plain
  })
}
