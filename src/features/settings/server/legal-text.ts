import { fillPlaceholders } from '#kit/fill-placeholders.ts'
import type { Db } from '#server/db/connect.ts'
import type { LegalDocument } from '../contract.ts'
import { legalDefaults } from './legal-defaults.ts'
import * as settings from './service.ts'

/** Returns a legal text with its placeholders filled in: the operator's text, or the standard text while the operator's text is empty. */
export async function legalText(db: Db, document: LegalDocument): Promise<string> {
  const [texts, { brand, contact, claims }] = await Promise.all([settings.read(db, 'legal'), settings.read(db, 'site')])
  return fillPlaceholders(texts[document].trim() || legalDefaults[document], {
    brand: brand.name,
    email: contact.email,
    days: String(claims.moneyBackDays),
  })
}
