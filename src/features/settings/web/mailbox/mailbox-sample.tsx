import { format } from 'date-fns'
import { useId, useState } from 'react'
import { railNames } from '#features/payments/rules.ts'
import { readSampleEmail, type SampleEmail } from '#features/receipts/admin-mailbox-contract.ts'
import { authText, mailReason } from '#features/receipts/mailbox-rules.ts'
import { messageOf } from '#kit/caller.ts'
import { formatCents } from '#kit/money.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FileUpload } from '#web/ui/form/file-upload.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { Note } from '#web/ui/note.tsx'

const maxBytes = 1024 * 1024

/** Reads one pasted or uploaded email as the mailbox would, and shows what was found and whether the email would be trusted. */
export function MailboxSample() {
  const sample = useSend(readSampleEmail)
  const [pasted, setPasted] = useState('')
  const resultId = useId()
  const { data, error } = sample
  return (
    <Card title="Try One Email">
      <div className="grid max-w-160 gap-5">
        <p className="text-fg-2">
          See what is read from an email before you turn the mailbox on. Use the whole email with its headers: “Show
          original” or “Download message” in your mail program. Nothing is stored.
        </p>
        <FileUpload
          label="Choose Email File (.eml)"
          accept=".eml,message/rfc822,text/plain"
          maxBytes={maxBytes}
          tooLarge="The email is too large. Please use one of at most 1 MB."
          upload={(body) => sample.mutateAsync({ body })}
        />
        <Field label="Or paste the email">
          <Textarea
            value={pasted}
            rows={5}
            spellCheck={false}
            className="font-mono"
            onChange={({ target }) => setPasted(target.value)}
          />
        </Field>
        <div>
          <Button
            variant="line"
            pending={sample.isPending}
            disabled={pasted.trim() === ''}
            onClick={() => sample.mutate({ body: new TextEncoder().encode(pasted) })}
          >
            Read Email
          </Button>
        </div>
        <section id={resultId} aria-label="What was read" aria-live="polite" className="grid gap-3">
          {!sample.isPending && error && <Note tone="bad">{messageOf(error)}</Note>}
          {!sample.isPending && data && <SampleResult sample={data} />}
        </section>
      </div>
    </Card>
  )
}

function SampleResult({ sample }: { sample: SampleEmail }) {
  const { isTrusted, outcome, reason, alsoAgainst, payments, auth, signedBy, signedAt, isKnownLayout } = sample
  return (
    <>
      <Note tone={isTrusted ? 'ok' : 'warn'}>
        {isTrusted
          ? 'This email would be trusted: its payment would appear on the payment desk.'
          : `Not trusted. ${mailReason(reason ?? '')}`}
      </Note>
      {alsoAgainst && <Note tone="warn">{mailReason(alsoAgainst)}</Note>}
      {outcome !== 'ignored' && (
        <p className="text-sm text-fg-2">
          {authText(auth, signedBy)}
          {signedAt && `, ${format(new Date(signedAt), 'MMM d, yyyy, h:mm a')}`}.{' '}
          {payments.length > 0 &&
            (isKnownLayout ? 'Its layout is known.' : 'Its layout is not known, so check the fields.')}
        </p>
      )}
      {payments.map((payment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the payments of one email have no other key
        <dl key={index} className="mailbox-facts">
          <Fact label={payment.direction === 'reversal' ? 'Taken back' : 'Amount'}>
            {formatCents(payment.amount)}
            {payment.currency !== 'USD' && ', possibly not in US dollars'}
            {!payment.isFinal && ', still pending'}
          </Fact>
          <Fact label="Service">{railNames[payment.rail]}</Fact>
          <Fact label="Payer">{payment.payer || 'Not named'}</Fact>
          <Fact label="Note">{payment.note || 'None'}</Fact>
          <Fact label="Transaction number">{payment.providerReference ?? 'None'}</Fact>
          <Fact label="Time">
            {payment.paidAt ? format(new Date(payment.paidAt), 'MMM d, yyyy, h:mm a') : 'Not named'}
          </Fact>
        </dl>
      ))}
    </>
  )
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
