import { ExternalLink } from 'lucide-react'
import { ButtonAnchor } from '#web/ui/button/button-anchor.tsx'
import type { Invoice } from '../../contract.ts'
import { securePaymentLink } from '../../rules.ts'

interface Props {
  /** The account's address; payment links are sent only there. */
  email: string | undefined
  hours: number
  invoice: Pick<Invoice, 'paymentLink' | 'paymentMethod'> | undefined
}

/** Instructions for a card payment: by an emailed link. Card numbers are never entered here. */
export function CardPaymentPanel({ email, hours, invoice }: Props) {
  const link = invoice && securePaymentLink(invoice)
  return (
    <section aria-labelledby="card-title" className="grid gap-4">
      <h3 id="card-title">Pay by credit card</h3>
      <ul className="grid list-disc gap-1 pl-5 text-15">
        <li>
          A secure payment link will be emailed to{' '}
          <b className="wrap-anywhere font-semibold">{email ?? 'your account address'}</b>.
        </li>
        <li>
          Your subscription is activated after verification, typically within{' '}
          {hours === 1 ? '1 hour' : `${hours} hours`}.
        </li>
        <li>No email within 15 minutes? Check your spam folder, then contact support.</li>
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
