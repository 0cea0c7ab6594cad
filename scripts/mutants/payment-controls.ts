import type { Mutant } from './mutant.ts'

const payments = 'src/features/payments'
const receipts = 'src/features/receipts'

/** Returns a mutant that removes a control of the payment book: `text`, which occurs in `file` once, is replaced by `instead`. */
const control = (name: string, file: string, text: string, instead: string, ...tests: string[]): Mutant => ({
  control: `payment: ${name}`,
  edits: [{ file, text, instead }],
  tests,
})

const condition = (code: string, text: string, instead = '() => false'): Mutant =>
  control(
    `condition ${code}`,
    `${payments}/server/matching/conditions.ts`,
    `isBroken: ${text},\n`,
    `isBroken: ${instead},\n`,
    `${payments}/server/matching/match.test.ts`,
  )
const dayLimit = (name: string, text: string): Mutant =>
  control(
    `daily limit, ${name}`,
    `${payments}/server/matching/conditions.ts`,
    text,
    'false',
    `${payments}/server/matching/match.test.ts`,
    `${payments}/automation.test.ts`,
  )

const conditions: Mutant[] = [
  condition('not_proven', "({ evidence }) => evidence.auth !== 'proven'"),
  condition('other_recipient', '({ evidence }) => !evidence.recipientIsOurs'),
  condition('template_unknown', '({ evidence }) => !evidence.templateKnown'),
  condition('reversal', "({ facts }) => facts.direction !== 'in'"),
  condition('not_final', '({ facts }) => !facts.final'),
  condition('currency', '({ facts, settings }) => facts.currency !== settings.currency'),
  condition('reference_missing', "({ references }) => references.status === 'missing'"),
  condition('reference_corrected', "({ references }) => references.status === 'corrected'"),
  condition('reference_ambiguous', "({ references }) => references.status === 'ambiguous'"),
  condition('reference_reused', "({ references }) => references.named.some(({ by }) => by === 'reused')"),
  condition('amount_differs', 'amountDiffers'),
  condition(
    'invoice_not_open',
    `({ invoices, settings }) =>
      invoices.some((invoice) => !isOpen(invoice, settings.now) || invoice.outdated)`,
  ),
  condition('payer_conflict', 'hasPayerConflict'),
  condition(
    'code_twice',
    '({ byCode, invoices }) => byCode.some(({ id }) => !invoices.some((invoice) => invoice.id === id))',
  ),
  condition('own_invoice', 'isOwnInvoice'),
  condition(
    'rail_off',
    "({ facts, evidence, settings }) => evidence.auth !== 'stated' && !settings.rails.includes(facts.rail)",
  ),
  condition('over_limit', '({ facts, settings }) => facts.amount > settings.maxCents'),
  condition('daily_limit', 'isOverDailyLimit'),
  dayLimit('number of payments', 'today.count >= settings.perDay'),
  dayLimit('total amount', 'today.cents + facts.amount > settings.perDayCents'),
  dayLimit('payments by one payer', 'today.ofPayer >= settings.perPayerDay'),
  dayLimit('payments for one customer', 'today.ofCustomer >= settings.perCustomerDay'),
  condition(
    'too_old',
    `({ evidence, settings }) =>
      evidence.signedAt !== null && settings.now.getTime() - Date.parse(evidence.signedAt) > maximumAgeMs`,
  ),
]

const mailTest = `${receipts}/server/read/mail/read-mail.test.ts`
const ofMail = (name: string, file: string, text: string, instead: string): Mutant =>
  control(name, `${receipts}/server/read/mail/${file}`, text, instead, mailTest)

const recipient: Mutant[] = [
  ofMail('recipient, signed To', 'read-mail.ts', 'isAddressedTo(mail, own) && isHandle', 'isHandle'),
  ofMail('recipient, every address of To', 'read-mail.ts', 'toAddresses.every(', 'toAddresses.some('),
  ofMail('recipient, handle', 'read-mail.ts', 'own) && isHandle && among', 'own) && among'),
  ofMail('recipient, name', 'read-mail.ts', 'among(recipient.name, own.names) && ', ''),
  ofMail('recipient, account', 'read-mail.ts', ' && among(recipient.account, own.accounts)', ''),
  ofMail('recipient, accounts are known', 'read-mail.ts', 'if (!own) return false', 'if (!own) return true'),
  ofMail(
    'recipient, a handle that the settings lack',
    'read-mail.ts',
    '(own.handles.length > 0 && among(recipient.handle, own.handles))',
    'among(recipient.handle, own.handles)',
  ),
]

const signature: Mutant[] = [
  ofMail(
    'signed by the exact domain',
    'authenticity.ts',
    'signingDomain?.toLowerCase() === sender?.domain',
    'signingDomain !== ""',
  ),
  ofMail('whole body signed', 'authenticity.ts', 'canonBodyLengthLimited === false && ', ''),
  ofMail('read headers signed', 'authenticity.ts', ' && mustBeSigned.every((key) => signed.includes(key))', ''),
  ofMail('keys of at least 1,024 bits', 'authenticity.ts', 'minBitLength: 1024', 'minBitLength: 512'),
  ofMail('headers occur once', 'authenticity.ts', 'atMostOnce.some((key) => count(key) > 1) || ', ''),
  ofMail('headers are present', 'authenticity.ts', 'if (exactlyOnce.some((key) => count(key) === 0))', 'if (false)'),
  ofMail('no signature from the future', 'authenticity.ts', '!isFromFuture(signature, now)', 'true'),
  ofMail('the signed date also limits the age', 'authenticity.ts', 'const times = [written, ', 'const times = ['),
  ofMail('only the topmost verdict counts', 'verdict.ts', 'headers.find(', 'headers.findLast('),
  ofMail(
    'only verdicts of our own mail server count',
    'verdict.ts',
    "if (!own.includes(id.split(' ', 1)[0] ?? '')) return false",
    '',
  ),
  ofMail(
    'verdict without comments and quotes',
    'verdict.ts',
    'withoutCommentsAndQuotes(topmost.value)',
    'topmost.value',
  ),
  ofMail('exact sender address', 'senders.ts', '/^venmo@venmo\\.com$/', '/venmo@venmo\\.com/'),
  ofMail('maximum size of an email', 'document.ts', 'if (raw.length > maxBytes)', 'if (false)'),
  ofMail('maximum parts of an email', 'document.ts', 'if (parts > limits.parts)', 'if (false)'),
  ofMail('maximum text length of an email', 'document.ts', '.length > limits.characters)', '.length < 0)'),
]

const identityTest = `${receipts}/server/read/identity.test.ts`
const ofIdentity = (name: string, text: string, instead: string): Mutant =>
  control(name, `${receipts}/server/read/identity.ts`, text, instead, identityTest)
const identity: Mutant[] = [
  ofMail(
    'a copy of an email counts as that email',
    'authenticity.ts',
    'own.find(({ signature }) => signature)?.signature ?? ',
    '',
  ),
  ofIdentity(
    'identical statement rows of one day are separate payments',
    'const occurrence = (counts.get(plainKey) ?? 0) + 1',
    'const occurrence = 1',
  ),
  ofIdentity(
    'the transaction number of the provider is the key',
    'if (facts.providerReference) return',
    'if (false) return',
  ),
  ofIdentity(
    'each payment is joined once',
    'if (result.booked || taken.has(booked)) continue',
    'if (result.booked) continue',
  ),
  {
    control: 'payment: each source is joined once',
    edits: [
      {
        file: `${receipts}/server/read/identity.ts`,
        text: '.filter((booked) => isNew(booked.receipts, source))\n      ',
        instead: '',
      },
      {
        file: `${receipts}/server/read/identity.ts`,
        text: ' && [...wanted].some((source) => isNew(booked.receipts, source))',
        instead: '',
      },
    ],
    tests: [identityTest],
  },
  ofIdentity(
    'two transaction numbers are two payments',
    'if (haveNumbers && oneNumbering.has(one.facts.rail)) return null',
    '',
  ),
  ofIdentity(
    'identical payments on different days are two payments',
    'return apart <= (isWeekend ? 3 : 1) * dayMs ? apart : null',
    'return apart',
  ),
  ofIdentity(
    'identical payments more than 36 hours apart are two payments',
    'return apart <= 36 * hourMs ? apart : null',
    'return apart',
  ),
  ofIdentity(
    'the same amount alone does not join payments',
    'return isSameNote || isSameName ? { points',
    'return isSameNote || isSameName || apart >= 0 ? { points',
  ),
  control(
    'a repeated transaction number in a file is one payment',
    `${receipts}/server/statements/compare-statement.ts`,
    '!known && !isRepeated',
    '!known',
    `${receipts}/statements.test.ts`,
  ),
  {
    control: 'payment: a statement is recorded once',
    edits: [
      {
        file: 'migrations/0053-statements.sql',
        text: 'CREATE UNIQUE INDEX one_statement_a_file',
        instead: 'CREATE INDEX one_statement_a_file',
      },
      {
        file: `${receipts}/server/statements/book-statement.ts`,
        text: 'if (known) return conflict',
        instead: 'if (false) return conflict',
      },
    ],
    tests: [`${receipts}/statements.test.ts`],
  },
  control(
    'the book is locked while a statement is recorded',
    `${receipts}/server/statements/book-statement.ts`,
    'await lockBook(tx)\n',
    '',
    `${receipts}/statements.test.ts`,
  ),
]

const eventTest = `${receipts}/webhooks.test.ts`
const events: Mutant[] = [
  control(
    'signature of an event',
    `${receipts}/server/webhooks/signature.ts`,
    "if (!secret) return 'bad_signature'",
    'if (!secret) return { secret: secrets[0]!, signedAt: now }',
    eventTest,
  ),
  control(
    'age of an event',
    `${receipts}/server/webhooks/signature.ts`,
    "return isTimely ? { secret, signedAt } : 'old_signature'",
    'return { secret, signedAt }',
    eventTest,
  ),
]

/** The conditions of automatic confirmation, and the controls that prove the sender and the recipient of a payment and count it once. */
export const paymentControls: Mutant[] = [...conditions, ...recipient, ...signature, ...identity, ...events]
