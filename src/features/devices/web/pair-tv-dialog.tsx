import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { decideCode, listDevices, lookUpCode, type PairingTv, pairing } from '../contract.ts'
import { codeLength, nameLength, normalizedCode, shownCode } from '../rules.ts'
import { countryName } from './country-name.ts'

interface Props {
  /** The code from a scanned QR code; empty if the customer has to type it. */
  code: string
  onClose: () => void
  /** Restarts the dialog for another TV. */
  onPairAnother: () => void
}

/** A dialog that pairs a TV: it asks for the code, shows the browser and country of the TV, and lets the customer accept or refuse it. */
export function PairTvDialog({ code, onClose, onPairAnother }: Props) {
  const lookUp = useSend(lookUpCode)
  const decide = useSend(decideCode, [listDevices])
  const [tv, setTv] = useState<PairingTv & { userCode: string }>()
  const [paired, setPaired] = useState('')
  const form = useSchemaForm({
    schema: pairing,
    id: 'pair',
    fields: ['userCode', 'name'],
    defaultValues: { userCode: code && shownCode(code), name: 'Living room' },
  })
  const submit = form.onSubmit(async ({ userCode, name }) => {
    if (tv?.userCode !== userCode) {
      setTv({ ...(await lookUp.mutateAsync({ body: { userCode } })), userCode })
      return
    }
    const device = await decide.mutateAsync({ body: { userCode, allow: true, name } })
    setPaired(device.name)
    announce(`${device.name} is paired`)
  })
  const deny = () =>
    decide.mutate(
      { body: { userCode: tv!.userCode, allow: false, name: 'TV' } },
      {
        onSuccess: () => {
          toast({ title: 'TV refused', description: 'Its code no longer works.' })
          onClose()
        },
        onError: (error) =>
          toast({ title: 'Failed to refuse the TV', description: messageOf(error), variant: 'destructive' }),
      },
    )
  // A scanned code is looked up when the dialog opens. The customer must still accept the TV.
  const wasScanned = useRef(code.length === codeLength)
  useEffect(() => {
    if (!wasScanned.current) return
    wasScanned.current = false
    void submit()
  }, [submit])

  if (paired)
    return (
      <FormDialog
        open
        onClose={onClose}
        formId="pair-tv"
        action=""
        pending={false}
        title={`${paired} is paired`}
        description="Your TV continues within a few seconds. There is nothing to type."
        sheet
        footer={
          <>
            <Button variant="line" onClick={onPairAnother}>
              Pair Another
            </Button>
            <Button onClick={onClose}>Done</Button>
          </>
        }
      >
        {null}
      </FormDialog>
    )
  const isKnown = tv !== undefined && normalizedCode(form.watch('userCode')) === tv.userCode
  return (
    <FormDialog
      open
      onClose={onClose}
      formId="pair-tv"
      action={isKnown ? 'Pair TV' : 'Next'}
      pending={form.pending}
      title="Pair a TV"
      description="Open this site’s /tv page on your TV. It shows a code and a QR code."
      sheet
      keepOnOutsidePress
      extra={
        isKnown && (
          <Button variant="destructive" pending={decide.isPending && !form.pending} onClick={deny}>
            Not My TV
          </Button>
        )
      }
    >
      <form id="pair-tv" noValidate className="grid gap-5 pb-2" onSubmit={submit}>
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field
          label="Code on your TV"
          hint="8 letters. Or scan the QR code on the TV with your phone."
          {...form.field('userCode')}
        >
          <Input
            {...form.register('userCode')}
            className="code-input"
            placeholder="BDWP-HQPK"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={24}
            required
          />
        </Field>
        {isKnown && (
          <Note tone="warn" role="status">
            Does your TV show <b className="num">{shownCode(tv.userCode)}</b>? {tv.agent} requested this code
            {tv.country && ` from ${countryName(tv.country)}`} <RelativeTime value={tv.createdAt} />. Pair the TV only
            if you are in front of it.
          </Note>
        )}
        <Field label="Name" {...form.field('name')}>
          <Input {...form.register('name')} autoComplete="off" maxLength={nameLength} required />
        </Field>
        {form.failure && form.problems.length === 0 && <Note tone="bad">{form.failure}</Note>}
      </form>
    </FormDialog>
  )
}
