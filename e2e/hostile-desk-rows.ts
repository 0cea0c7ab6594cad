import { hostileTexts } from './hostile-texts.ts'

type Insert = (table: string, row: Record<string, unknown>) => Promise<unknown>
type RowContext = { index: number; customerId: number; hostileId: number; adminId: number; invoiceId: number }
const driftKinds = ['stray', 'end', 'connections', 'state', 'missing', 'no_line'] as const
const within = (minLength: number, maxLength: number, text: string) =>
  [...text.padEnd(minLength, '.')].slice(0, maxLength).join('').toWellFormed()

/**
 * Writes one hostile text into all records of a customer that panels, mail servers, browsers and administrators fill: lines, refunds, emails, sessions,
 * passkeys.
 */
export async function writeHostileDesk(
  insert: Insert,
  text: string,
  { index, customerId, hostileId, adminId, invoiceId }: RowContext,
): Promise<void> {
  const name = `${index} ${text}`
  const declined = {
    status: 'declined',
    decided_at: new Date(),
    decided_by: adminId,
    decision_reason: within(3, 500, text),
  }
  // Half of the refund requests are pending.
  await insert('refund_requests', {
    invoice_id: invoiceId,
    user_id: customerId,
    reason: within(3, 1_000, text),
    ...(index % 2 === 1 ? { status: 'pending' } : declined),
  })
  const line = { panel: text, line_ref: name, username: name, password: 'none', server: text, wanted_enabled: true }
  await insert('credit_notes', {
    number: index + 1,
    invoice_id: invoiceId,
    user_id: customerId,
    amount: 1,
    credit_returned: 0,
    payment_reference: within(3, 120, text),
    issued_by: adminId,
  })
  await insert('lines', { user_id: hostileId, ...line })
  if (index === hostileTexts.length - 1)
    await insert('lines', { user_id: customerId, ...line, line_ref: 'own', username: hostileTexts.join(' ') })
  await insert('line_jobs', {
    user_id: hostileId,
    cause: 'grant',
    cause_key: name,
    task: 'rejected',
    last_answer: text,
    line_ref: name,
  })
  const ours = { enabled: true, until: new Date(Date.now() + 86_400_000), connections: 2 }
  const theirs = { enabled: index % 2 === 0, until: null, connections: 1 }
  const kind = driftKinds[index % driftKinds.length]!
  await insert('line_drift', {
    kind,
    line_ref: name,
    username: name,
    ...(kind !== 'stray' && { user_id: hostileId, ours, theirs }),
  })
  await insert('passkeys', {
    user_id: customerId,
    credential_id: `hostile-${index}`,
    public_key: Buffer.alloc(8),
    transports: '[]',
    name: within(1, 60, text),
  })
  await insert('sessions', {
    token_hash: Buffer.from(name.padEnd(32)).subarray(0, 32),
    user_id: customerId,
    expires_at: new Date(Date.now() + 86_400_000),
    ip: text,
    user_agent: text,
  })
  await insert('mails', {
    dedupe_key: name,
    user_id: customerId,
    recipient: within(3, 254, text),
    template: 'welcome',
    data: JSON.stringify({ username: text }),
    status: 'failed',
    last_error: text,
  })
}

/** Hostile text in every setting that all users see. */
export const hostileSettings = {
  payments: {
    cashtag: hostileTexts[0],
    venmoHandle: hostileTexts[0],
    notePrefix: '<svg onload=ran=1>',
    noteStyle: 'number',
    verificationHours: 24,
    cardHours: 24,
    billFrom: hostileTexts.slice(0, 10),
  },
  legal: Object.fromEntries(
    ['terms', 'privacy', 'refund-policy', 'cookies', 'dmca'].map((document) => [document, hostileTexts.join('\n\n')]),
  ),
}
