import { clsx } from 'clsx'
import { ExternalLink } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { PaymentMethods } from '#features/settings/contract.ts'
import { formatCents, plainDollars } from '#kit/money.ts'
import { ButtonAnchor } from '#web/ui/button/button-anchor.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { CopyButton } from '#web/ui/button/copy-button.tsx'
import { Note } from '#web/ui/note.tsx'
import { methodNames, noRecipientText, payLink, recipientOf } from '../../rules.ts'

const QrCode = lazy(() => import('#web/ui/qr-code.tsx').then((module) => ({ default: module.QrCode })))

interface Props {
  method: 'cashapp' | 'venmo'
  paymentSettings: PaymentMethods
  /** Undefined while the invoice is loading or its amount changes. */
  cents: number | undefined
  note: string
  /** Whether the cents of the amount identify the payment, so that exactly this amount must be sent. */
  isExact?: boolean
}

/** Recipient, amount and note of a transfer, each with a copy button, plus a link and a QR code that prefill the payment app. */
export function TransferPanel({ method, paymentSettings, cents, note, isExact = false }: Props) {
  const scans = useFinePointer()
  const link = cents === undefined ? undefined : payLink(method, paymentSettings, cents, note)
  const name = methodNames[method]
  const recipient = recipientOf(method, paymentSettings)
  const rows = [
    { what: 'recipient', label: 'Send to', text: recipient ?? '' },
    {
      what: 'amount',
      label: 'Amount',
      text: cents === undefined ? '' : formatCents(cents),
      copied: cents === undefined ? '' : plainDollars(cents),
    },
    { what: 'note', label: 'Note', text: note, loud: true },
  ]

  if (recipient === null)
    return (
      <Note
        tone="warn"
        action={
          <ButtonLink to="/contact" variant="line" size="sm">
            Contact Us
          </ButtonLink>
        }
      >
        {noRecipientText(method)}
      </Note>
    )
  return (
    <section aria-labelledby="transfer-title" className="@container grid gap-4">
      <h3 id="transfer-title">Send your payment with {name}</h3>
      <div className="grid gap-5 any-pointer-fine:@md:grid-cols-[minmax(0,1fr)_auto]">
        <dl className="overflow-hidden rounded-md border">
          {rows.map((row) => (
            <div
              key={row.what}
              className={clsx('grid gap-x-4 border-b px-4 py-3 last:border-b-0', row.loud && 'bg-brand-soft')}
            >
              <dt className="text-fg-2 text-sm">{row.label}</dt>
              <dd className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
                <span
                  className={clsx('num wrap-anywhere select-all font-semibold @sm:text-lg', row.loud && '@md:text-xl')}
                >
                  {row.text}
                </span>
                <CopyButton size="sm" text={row.copied ?? row.text} what={row.what} className="no-print" />
              </dd>
            </div>
          ))}
        </dl>
        {link && (
          <div className="no-print hidden any-pointer-fine:grid w-40 content-start @max-md:justify-self-center justify-items-center gap-2 text-center text-fg-2 text-sm">
            <div className="size-40 overflow-hidden rounded-md border bg-white">
              <Suspense>
                {scans && (
                  <QrCode
                    text={link}
                    label={`QR code: pay ${cents === undefined ? '' : formatCents(cents)} with ${name}`}
                  />
                )}
              </Suspense>
            </div>
            <span>Scan with your phone</span>
          </div>
        )}
      </div>
      <ul className="grid list-disc gap-1 pl-5 text-15 text-fg-2">
        <li>Enter the note exactly as shown, so that we can match your payment.</li>
        {method === 'venmo' && <li>Set the payment to private.</li>}
        <li>
          {isExact
            ? 'Send exactly this amount in one payment: its cents identify your order.'
            : 'Send the amount in one payment.'}
        </li>
      </ul>
      {link && (
        <ButtonAnchor
          href={link}
          target="_blank"
          rel="noopener noreferrer"
          variant="ink"
          className="no-print justify-self-start max-sm:w-full"
        >
          Open {name}
          <ExternalLink size={18} />
          <span className="sr-only">in a new tab</span>
        </ButtonAnchor>
      )}
    </section>
  )
}

/** Whether the device has a fine pointer, such as a mouse. Devices without one are usually phones, which cannot scan a QR code on their own screen. */
function useFinePointer(): boolean {
  const [fine, setFine] = useState(false)
  useEffect(() => setFine(matchMedia('(any-pointer: fine)').matches), [])
  return fine
}
