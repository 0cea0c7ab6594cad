import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  listProcessors,
  type ProcessorState,
  processorForm,
  updateProcessor,
} from '#features/receipts/admin-processor-contract.ts'
import { processorNames } from '#features/receipts/processor-rules.ts'
import { callOf, query, useSend } from '#web/data.ts'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'

const valuesOf = ({ enabled, address, storeId }: ProcessorState) => ({ enabled, address, storeId, apiKey: '' })

/** The form of one payment processor: the typed API key is cleared after saving. */
export function useProcessorForm(stored: ProcessorState) {
  const client = useQueryClient()
  const { name } = stored
  const title = processorNames[name]
  const send = useSend(updateProcessor, [listProcessors])
  // The version that the form was filled from, so that a newer one is not overwritten.
  const [version, setVersion] = useState(stored.version)
  const form = useSchemaForm({
    schema: processorForm,
    id: name,
    fields: ['enabled', 'address', 'storeId', 'apiKey'],
    defaultValues: valuesOf(stored),
    onFailure: (message) => toast({ title: 'Settings not saved', description: message, variant: 'destructive' }),
  })
  const show = (now: ProcessorState) => {
    setVersion(now.version)
    form.reset(valuesOf(now))
  }
  const submit = form.onSubmit(async (values) => {
    const saved = await send.mutateAsync({ params: { processor: name }, body: { ...values, version } })
    show(saved)
    toast({
      title: 'Settings saved',
      description: `${title}: ${saved.enabled ? 'new events are received from now on.' : 'events are refused.'}`,
    })
  })
  const showCurrent = async () => {
    const all = await callOf(client)(listProcessors, {})
    client.setQueryData(query(listProcessors).queryKey, all)
    show(all.find((each) => each.name === name)!)
  }
  return { form, submit, showCurrent, title }
}
