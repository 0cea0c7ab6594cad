import { readImage } from '#features/images/server/image-store.ts'
import type { BrandSettings } from '#features/settings/contract.ts'
import type { Db } from '#server/db/connect.ts'
import type { PdfDocument } from '#server/pdf/pdf-document.ts'

/** The operator in the head of a PDF: the name, and the uploaded logo as a PNG file. */
export type PdfBrand = { name: string; logo?: Uint8Array | undefined }

/** Reads what PDF files show of a brand. */
export async function pdfBrand(db: Db, { name, logo }: Pick<BrandSettings, 'name' | 'logo'>): Promise<PdfBrand> {
  return { name, logo: logo ? (await readImage(db, logo.document.slice('/images/'.length))).bytes : undefined }
}

/** Writes the logo, or the name. */
export function writeBrand(pdf: PdfDocument, { name, logo }: PdfBrand): void {
  if (logo) pdf.image(logo, { width: 180, height: 42 })
  else pdf.text(name, { size: 16, bold: true, gap: 12 })
}
