import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DefaultValues, FieldValues, Path } from 'react-hook-form'
import type * as z from 'zod/mini'
import { ApiError } from '#kit/caller.ts'
import { callOf, query, useSend } from '#web/data.ts'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { getSetting, type SettingSection, updateSetting } from '../admin-contract.ts'
import { getPaymentMethods, getSite } from '../contract.ts'

export type Stored = { version: string; value: Record<string, unknown>; standard?: string | undefined }
interface Options<In extends FieldValues, Out> {
  section: SettingSection
  /** The section title in toasts, such as "Payments". */
  title: string
  schema: z.core.$ZodType<Out, In>
  fields: readonly Path<In>[]
  stored: Stored
}

/** The form of a settings section. The section is saved as a whole. If another administrator has changed it, saving fails and the typed values are kept. */
export function useSettingForm<In extends FieldValues, Out extends Record<string, unknown>>({
  section,
  title,
  schema,
  fields,
  stored,
}: Options<In, Out>) {
  const client = useQueryClient()
  const [version, setVersion] = useState(stored.version)
  const settingQuery = query(getSetting, { params: { section } })
  const send = useSend(updateSetting, [getSite, getPaymentMethods])
  const form = useSchemaForm({
    schema,
    id: section,
    fields,
    defaultValues: stored.value as DefaultValues<In>,
    onFailure: (message) => toast({ title: 'Settings not saved', description: message, variant: 'destructive' }),
  })
  const show = (now: Stored) => {
    setVersion(now.version)
    form.reset(now.value as In)
    client.setQueryData(settingQuery.queryKey, now)
  }
  const submit = form.onSubmit(async (value) => {
    try {
      show(await send.mutateAsync({ params: { section }, body: { version, value } }))
    } catch (error) {
      // The form holds only `value`, so its field paths have no prefix.
      if (error instanceof ApiError) for (const issue of error.issues) issue.path = issue.path.replace(/^value\./, '')
      throw error
    }
    toast({ title: 'Settings saved', description: `${title}: the change is live.` })
  })
  const showCurrent = async () => show(await callOf(client)(getSetting, { params: { section } }))
  return { form, submit, showCurrent, title }
}
