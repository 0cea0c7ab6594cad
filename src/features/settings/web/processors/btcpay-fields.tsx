import { testBtcpay } from '#features/receipts/admin-processor-contract.ts'
import { useSend } from '#web/data.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { ConnectionTest } from '../connection-test.tsx'
import type { useProcessorForm } from './use-processor-form.ts'

interface Props {
  form: ReturnType<typeof useProcessorForm>['form']
  keySet: boolean
}
const plain = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' } as const

/** The access to the BTCPay Server API, which is asked for invoice amounts because the events contain none. */
export function BtcpayFields({ form: { field, register, watch }, keySet }: Props) {
  const test = useSend(testBtcpay)
  const testConnection = () => {
    const [address, storeId, apiKey] = watch(['address', 'storeId', 'apiKey'])
    test.mutate({ body: { address, storeId, apiKey } })
  }
  return (
    <>
      <Field label="Address of the server" hint="Such as https://pay.shop.example." {...field('address')}>
        <Input {...register('address')} {...plain} type="url" inputMode="url" placeholder="https://" />
      </Field>
      <Field label="Store ID" hint="Under Store Settings, General." {...field('storeId')}>
        <Input {...register('storeId')} {...plain} />
      </Field>
      <Field
        label={keySet ? 'New API key' : 'API key'}
        optional={keySet}
        hint={
          keySet
            ? 'A key is set. It is stored encrypted and never shown. Leave this empty to keep it.'
            : 'With the permission to view invoices (btcpay.store.canviewinvoices) and no other. It is stored encrypted and never shown again.'
        }
        {...field('apiKey')}
      >
        <PasswordInput {...register('apiKey')} autoComplete="off" />
      </Field>
      <ConnectionTest test={test} onTest={testConnection} />
    </>
  )
}
