import type { Rail } from '#features/payments/server/matching/types.ts'

/** What the description in a bank statement says about a payment. */
export type Described = { rail: Rail; payerName: string | null; providerReference: string | null; note: string | null }

const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Wells Fargo: `ZELLE FROM NAME ON 11/19 REF # WFCT0ABCDEF1 NOTE`. */
export function readWellsFargoDescription(text: string): Described | null {
  const [, name, reference, note] =
    /^ZELLE FROM (.+?) ON \d{1,2}\/\d{1,2} REF ?# ?([A-Z0-9]+)(?: (.*))?$/i.exec(plain(text)) ?? []
  if (!name) return null
  return { rail: 'zelle', payerName: name, providerReference: reference ?? null, note: note || null }
}

/** Bank of America: `Zelle payment from NAME for "memo"; Conf# 0a1b2c3d4`; the memo may be truncated. */
function readBankOfAmericaDescription(text: string): Described | null {
  const [, name, memo, reference] =
    /^Zelle (?:recurring )?payment from (.+?)(?: for "(.*?)"?)?;? Conf# ?(\w+)$/i.exec(text) ?? []
  if (name) return { rail: 'zelle', payerName: name, providerReference: reference ?? null, note: memo || null }
  const [, number, payer] = /^Zelle Transfer Conf# ?(\w+); (.+)$/i.exec(text) ?? []
  return payer ? { rail: 'zelle', payerName: payer, providerReference: number ?? null, note: null } : null
}

/** Chase: `Zelle payment from NAME 30999888777`; a data file may have a memo after it. */
function readChaseDescription(text: string): Described | null {
  const [, name, reference, note] =
    /^Zelle payment from (.+?) ((?=(?:[A-Z]*\d){3})[A-Z0-9]{8,20})(?: (.*))?$/i.exec(text) ?? []
  if (!name) return null
  return { rail: 'zelle', payerName: name, providerReference: reference ?? null, note: note || null }
}

/** Real-time transfer: `REAL TIME TRANSFER RECD FROM … FROM: BNF-NAME REF: NOTE INFO: … TRN: 0123456789GA`. */
function readRealTimeTransfer(text: string): Described | null {
  if (!/^REAL TIME (TRANSFER|PAYMENT)/i.test(text)) return null
  const name = /\bFROM: (?:BNF-)?(.+?)(?= (?:REF|INFO|TRN|IID|RECD): ?|$)/i.exec(text)?.[1] ?? null
  const note = /\bREF: (.+?)(?= (?:INFO|IID|RECD|TRN): ?|$)/i.exec(text)?.[1] ?? null
  const reference =
    text
      .match(/\bTRN: ?([A-Z0-9]+)/gi)
      ?.at(-1)
      ?.replace(/^TRN: ?/i, '') ?? null
  return { rail: 'bank', payerName: name, providerReference: reference, note }
}

/** Reads a description in one of the formats of American banks; null for any other text. */
export function readDescription(text: string): Described | null {
  const line = plain(text)
  return (
    readWellsFargoDescription(line) ??
    readBankOfAmericaDescription(line) ??
    readChaseDescription(line) ??
    readRealTimeTransfer(line)
  )
}

const processors =
  /\b(STRIPE|PAYPAL|VENMO|SQUARE|SQ ?INC|CASH ?APP|BLOCK INC|SHOPIFY|COINBASE|WISE|TRANSFERWISE|ADYEN)\b/i

/** Whether a row is a payout of a payment processor. Payouts are skipped, because the customer payments that they contain are recorded separately. */
export const isPayout = (text: string): boolean => {
  const company = /^ORIG CO NAME:(.*?)(?:\s{2,}|ORIG ID:|$)/i.exec(text)?.[1]
  return company !== undefined && processors.test(company)
}
