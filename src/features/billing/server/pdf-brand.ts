import { readImage } from '#features/images/server/image-store.ts'
import * as settings from '#features/settings/server/service.ts'
import { logoContainsName } from '#kit/logo.ts'
import type { Db } from '#server/db/connect.ts'
import type { PdfDocument } from '#server/pdf/pdf-document.ts'
import { sellerLines } from '../rules.ts'

/** What a PDF shows about the operator: the brand name, the uploaded logo as a PNG file, and the lines that name the seller. */
export type PdfBrand = {
  name: string
  logo: { bytes: Uint8Array; containsName: boolean } | undefined
  seller: string[]
}

/** Reads the brand name, logo and seller that PDF files show. */
export async function readPdfBrand(db: Db): Promise<PdfBrand> {
  const [site, payments] = await Promise.all([settings.read(db, 'site'), settings.read(db, 'payments')])
  const { name, logo } = site.brand
  const file = logo && (await readImage(db, logo.document.slice('/images/'.length)))
  return {
    name,
    logo: file ? { bytes: file.bytes, containsName: logoContainsName(logo) } : undefined,
    seller: sellerLines(payments, site),
  }
}

/** Writes the logo and, unless the logo contains it, the name. Writes only the name if there is no logo. */
export function writeBrand(pdf: PdfDocument, { name, logo }: PdfBrand): void {
  if (logo) pdf.image(logo.bytes, { width: 180, height: 42 })
  if (!logo?.containsName) pdf.text(name, { size: 16, bold: true, gap: 12 })
}
