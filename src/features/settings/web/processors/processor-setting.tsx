import type { ProcessorState } from '#features/receipts/admin-processor-contract.ts'
import { eventsToSelect, processorNames } from '#features/receipts/processor-rules.ts'
import { CopyButton } from '#web/ui/button/copy-button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { SettingForm } from '../setting-form.tsx'
import { BtcpayFields } from './btcpay-fields.tsx'
import { ProcessorEvents } from './processor-events.tsx'
import { ProcessorSecrets } from './processor-secrets.tsx'
import { useProcessorForm } from './use-processor-form.ts'

const hints = {
  stripe:
    'Card payments of Stripe Checkout and Payment Links appear on the payment desk. Put the order number into client_reference_id: add ?client_reference_id=ORD-XXXXXX to a Payment Link.',
  btcpay:
    'Settled invoices of BTCPay Server appear on the payment desk. Put the order number into the order ID of the invoice.',
}

/** The settings of one payment processor: the URL for its events, its secrets, and the latest events. */
export function ProcessorSetting({ stored }: { stored: ProcessorState }) {
  const setting = useProcessorForm(stored)
  const { field, register } = setting.form
  const { name, url, keySet } = stored
  const title = processorNames[name]
  return (
    <section aria-label={`Payments with ${title}`} className="grid gap-6">
      <SettingForm setting={setting} hint={hints[name]}>
        <Checkbox
          label={`Receive events from ${title}`}
          hint="Add a signing secret first. While this is off, events are refused."
          {...field('enabled')}
          {...register('enabled')}
        />
        {name === 'btcpay' && <BtcpayFields form={setting.form} keySet={keySet} />}
        <div className="grid gap-2">
          <p className="font-medium">Webhook URL</p>
          <div className="flex flex-wrap items-center gap-3">
            <code className="break-all">{url}</code>
            <CopyButton text={url} size="sm" what={`address for ${title}`} />
          </div>
          <p className="field-hint">Select these events there: {eventsToSelect[name].join(', ')}.</p>
        </div>
      </SettingForm>
      <ProcessorSecrets stored={stored} />
      <ProcessorEvents stored={stored} />
    </section>
  )
}
