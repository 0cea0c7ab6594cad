import { ExternalLink } from 'lucide-react'
import { ButtonAnchor } from '#web/ui/button-anchor.tsx'
import type { Invoice } from '../../contract.ts'
import { securePaymentLink } from '../../rules.ts'

interface Props {
  /** The account's own address: payment links go nowhere else. */
  email: string | undefined
  hours: number
  invoice: Pick<Invoice, 'paymentLink' | 'paymentMethod'> | undefined
}

/** How a card payment goes: by a link we send, never by a number typed here. */
export function CardPaymentPanel({ email, hours, invoice }: Props) {
  const link = invoice && securePaymentLink(invoice)
  return (
    <section aria-labelledby="card-title" className="grid gap-4">
      <h3 id="card-title">Pay by credit card</h3>
      <ul className="grid list-disc gap-1 pl-5 text-15">
        <li>
          A secure payment link is e-mailed to{' '}
          <b className="wrap-anywhere font-semibold">{email ?? 'your account address'}</b>.
        </li>
        <li>
          Your subscription is activated after verification, typically within{' '}
          {hours === 1 ? '1 hour' : `${hours} hours`}.
        </li>
        <li>No e-mail within 15 minutes? Look into your spam folder, then contact support.</li>
      </ul>
      {link && (
        <ButtonAnchor
          href={link}
          target="_blank"
          rel="noopener noreferrer"
          variant="ink"
          className="no-print justify-self-start max-sm:w-full"
        >
          Open Secure Payment Page
          <ExternalLink size={18} />
          <span className="sr-only">in a new tab</span>
        </ButtonAnchor>
      )}
    </section>
  )
}
