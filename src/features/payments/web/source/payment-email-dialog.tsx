import { format } from 'date-fns'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { OpenedEmail } from '#features/receipts/admin-mailbox-contract.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import type { PaymentDetail } from '../../admin-contract.ts'
import { amountText, railNames } from '../../rules.ts'

interface Props {
  email: OpenedEmail
  payment: PaymentDetail
  returnTo: () => HTMLElement | null
}

/** Shows what was read from an email, beside the email as plain text. Open on first render; give it a new key for each opening. */
export function PaymentEmailDialog({ email, payment, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Payment Email"
      description="Shown without images and links. The audit log records that you opened it."
      size="wide"
      returnTo={returnTo}
      footer={
        <>
          <Button variant="line" onClick={() => save(email.raw, payment.id)}>
            <Download size={18} />
            Download
          </Button>
          <Button onClick={() => setOpen(false)}>Close</Button>
        </>
      }
    >
      <div className="payment-email">
        <dl className="payment-email-facts" aria-label="What was read">
          {facts(email, payment).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <section aria-labelledby="payment-email-text">
          <h3 id="payment-email-text" className="text-base">
            {email.subject || 'No subject'}
          </h3>
          <p className="text-sm text-fg-2">
            From {email.from}
            {email.to.length > 0 && ` to ${email.to.join(', ')}`}
            {email.date && `, ${format(new Date(email.date), 'MMM d, yyyy, h:mm a')}`}
          </p>
          {email.lines.length === 0 ? (
            <p>This email has no text that can be shown. Download it to review it.</p>
          ) : (
            <pre tabIndex={0}>{email.lines.join('\n')}</pre>
          )}
        </section>
      </div>
    </Dialog>
  )
}

function facts({ signature, template, templateVersion }: OpenedEmail, payment: PaymentDetail): [string, string][] {
  const { rail, payerName, payerHandle, note, providerReference } = payment
  return [
    ['Amount', amountText(payment)],
    ['Service', railNames[rail]],
    ['Payer', [payerName, payerHandle].filter(Boolean).join(', ') || 'Not named'],
    ['Note', note || 'No note'],
    ['Transaction number', providerReference || 'None'],
    ['Layout', template ? `${template}, version ${templateVersion}` : 'Not known'],
    ['Signed by', signature ? `${signature.domain}, key ${signature.selector}` : 'Not signed'],
    ...(signature
      ? ([
          ['Algorithm', `${signature.algorithm}${signature.keyBits ? `, ${signature.keyBits} bits` : ''}`],
          ['Signed headers', signature.headers.join(', ')],
        ] satisfies [string, string][])
      : []),
  ]
}

/** Downloads the email as it arrived. `raw` is encoded as Base64. */
function save(raw: string, paymentId: number): void {
  const bytes = Uint8Array.from(atob(raw), (sign) => sign.charCodeAt(0))
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'message/rfc822' }))
  link.download = `payment-${paymentId}.eml`
  link.click()
  URL.revokeObjectURL(link.href)
}
